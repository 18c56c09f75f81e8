import type { Localize } from "../../base/localize.ts";
import { sentence } from "../../base/text/sentence.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { TurnNotice } from "../turn.ts";
import type { TurnError } from "../turnError.ts";

/** Why an agent of another maker did not answer, for the user: what happened, and what to do. */
export function agentFailureMessage(
  { agent, problem, detail, why }: TurnError & { readonly code: "agent-failed" },
  t: Localize,
): string {
  const said = detail === "" ? "" : ` ${sentence(visibleLine(detail))}`;
  switch (problem) {
    case "not-found":
      return t("{agent} was not found on this machine. Install it, or choose a model.", { agent });
    case "not-started":
      return t("{agent} could not be started.", { agent }) + said;
    case "not-trusted":
      return t("{agent} runs only in a workspace that you trust.", { agent });
    case "ended":
      return t("{agent} ended before its answer was complete.", { agent }) + said;
    case "confined":
      return (
        t(
          "{agent} did not finish. It says that it could not write something. If it needs that folder, add it to `writes` in graft.agents.",
          { agent },
        ) + said
      );
    case "too-much":
      return t(
        "{agent} sent more than Graft takes in one answer, so it was ended. Ask for less at a time.",
        { agent },
      );
    case "sign-in":
      return (
        t("{agent} wants you to sign in. Start it once in a terminal, then try again.", { agent }) +
        said
      );
    case "sign-in-failed":
      return (
        t("Signing in to {agent} failed. Try again, or start it once in a terminal.", { agent }) +
        said
      );
    case "other-protocol":
      return t("{agent} uses a different version of the Agent Client Protocol than Graft.", {
        agent,
      });
    case "unreadable":
      return t("{agent} sent an answer that Graft cannot read. Update it, or choose a model.", {
        agent,
      });
    case "refused":
      return t("{agent} refused the request.", { agent }) + said;
    case "no-shadow":
      return t(
        "{agent} would write your files at once: this machine cannot run it on proposals ({why}).",
        { agent, why: why ?? "" },
      );
    case "no-processes":
      return t("{agent} cannot run here: this window cannot start programs.", { agent });
    case "own-modes":
      return t(
        "{agent} has modes of its own, so it answers only in Graft's mode Edit. Choose Edit, or another model.",
        { agent },
      );
  }
}

/** Which changes of an agent of another maker are not proposed. */
export function changesLostMessage(
  {
    agent,
    files,
    repository,
    unproposed = [],
  }: TurnNotice & { readonly code: "agent-changes-lost" },
  t: Localize,
): string {
  const lost = [
    ...(files > 0
      ? [
          t(
            "{agent} changed {files} files at once, which is too many to propose, so these changes are lost. Ask for fewer at a time.",
            { agent, files },
          ),
        ]
      : []),
    ...(repository
      ? [
          t(
            "What {agent} did in the git repository, such as a commit, does not last. Commit once you have accepted its changes.",
            { agent },
          ),
        ]
      : []),
    ...(unproposed.length > 0
      ? [
          t(
            "Not proposed, because they are links or not text: {paths}. Only {agent} sees these changes.",
            {
              agent,
              paths: unproposed.map(visibleLine).join(", "),
            },
          ),
        ]
      : []),
  ];
  return lost.join(" ");
}

/** That an agent of another maker runs on the user's files, and what that means. */
export function withoutShadowMessage(
  { agent, way }: TurnNotice & { readonly code: "agent-without-shadow" },
  t: Localize,
): string {
  return way === "tools"
    ? t(
        "{agent} uses Graft's tools here. Its own tools for editing and commands are off, because this machine cannot run it on proposals.",
        { agent },
      )
    : t("{agent} writes to your files before you can review its changes.", {
        agent,
      });
}
