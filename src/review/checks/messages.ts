import type { Localize } from "../../base/localize.ts";
import { lastPart } from "../../base/text/clip.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { CheckOutcome } from "../../tools/command/proposalCheck.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import type { FoundPart } from "./proposalChecks.ts";

/** The most of a check's output that a request has, in UTF-16 units from its end. */
const MOST_OUTPUT = 4_000;

/** Why a check cannot run on proposals on this machine. */
export function noShadowMessage(t: Localize, problem: ShadowProblem): string {
  const { code, detail, size, path = "" } = problem;
  if (code === "too-large" && size) {
    const [megabytes, limit] = [size.bytes, size.limit].map((each) => Math.ceil(each / 1_048_576));
    return t(
      "A copy with the proposals would have at least {size} MB. Your limit is {limit} MB (graft.commands.copyLimit).",
      { size: megabytes ?? 0, limit: limit ?? 0 },
    );
  }
  if (code === "repository-outside")
    return t("Git would change a repository outside the copy that has the proposals.");
  if (code === "git-waits")
    return t("Git would wait for {path}, which is a pipe or a device.", { path });
  if (code === "holds-home")
    return t("A folder of the workspace holds your home folder, which a sandbox would hide.");
  if (code === "git-silent") return t("Git gave no answer in {path}.", { path });
  if (code === "disk-full")
    return t("The disk that holds the proposals for commands is full. {detail}", {
      detail: sentence(detail),
    });
  if (code === "not-written")
    return t("The proposals could not be put in place for commands. {detail}", {
      detail: sentence(detail),
    });
  const why = t("This machine does not let commands run on proposed changes.");
  return detail === "" ? why : `${why} ${sentence(detail)}`;
}

/** Why a check has neither passed nor failed; null where it has, or the user stopped it. */
export function checkProblemMessage(t: Localize, outcome: CheckOutcome): string | null {
  switch (outcome.code) {
    case "passed":
    case "failed":
    case "stopped":
      return null;
    case "too-long":
      return t("It was stopped after 30 minutes.");
    case "no-shadow":
      return noShadowMessage(t, outcome.problem);
    case "no-folder":
      return fileErrorMessage(outcome.error, t);
    case "not-started": {
      const { program, detail = "" } = outcome.failure;
      return t("{program} could not be started. {detail}", { program, detail: sentence(detail) });
    }
  }
}

/** The request to the model to repair what a check found, with the end of its output. */
export function fixCheckRequest(
  t: Localize,
  command: string,
  output: string,
): { readonly text: string; readonly attached: readonly AttachmentRef[] } {
  const text = t("{command} fails on your proposed changes. Fix them.", { command });
  const tail = lastPart(output, MOST_OUTPUT).trim();
  const ref = { kind: "terminal", name: "", text: tail, path: null, lines: null } as const;
  return { text, attached: tail === "" ? [] : [ref] };
}

/** What stands over a change that a search found. */
export function foundHunkMessage(
  t: Localize,
  command: string,
  { code, others }: Pick<FoundPart, "code" | "others">,
): string {
  switch (code) {
    case "breaks":
      return others === 0
        ? t("{command} passes without this change.", { command })
        : t("{command} passes without this change and {count} more that go with it.", {
            ...{ command, count: others },
          });
    case "left-out":
      return t("Belongs to the change that makes {command} fail.", { command });
    case "needed":
      return t("{command} fails without this change.", { command });
  }
}
