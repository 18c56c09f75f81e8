import type { Localize } from "../../base/localize.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { CheckOutcome } from "../../tools/command/proposalCheck.ts";

/** The most of a check's output that a request has, in UTF-16 units from its end. */
const MOST_OUTPUT = 4_000;

/** Why a check cannot run on proposals on this machine. */
export function noShadowMessage(t: Localize, { detail }: ShadowProblem): string {
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

/** The request to the model to repair what a check found. */
export function fixCheckRequest(t: Localize, command: string, output: string): string {
  const tail = output.slice(-MOST_OUTPUT);
  const fence = "`".repeat(
    Math.max(3, ...[...tail.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)),
  );
  return [
    t("{command} fails on your proposed changes. Fix them. The end of its output:", {
      command: `\`${command}\``,
    }),
    "",
    fence,
    tail.trim(),
    fence,
  ].join("\n");
}

/** What stands over a change that a search found. */
export function foundHunkMessage(
  t: Localize,
  command: string,
  code: "alone" | "first" | "needed",
): string {
  switch (code) {
    case "alone":
      return t("{command} passes without this change.", { command });
    case "first":
      return t("{command} fails from this change on.", { command });
    case "needed":
      return t("{command} fails without this change.", { command });
  }
}
