import type { Localize } from "../../base/localize.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { DecisionProblem } from "./fileReviewDeps.ts";
import type { OperationProblem } from "./proposedOperations.ts";

/** Tells that a proposal was withdrawn because its file is gone. */
export function goneMessage(t: Localize, path: string, how: "deleted" | "moved"): string {
  return how === "deleted"
    ? t("{path} was deleted, so Graft withdrew its proposal.", { path })
    : t("{path} was moved out of the workspace, so Graft withdrew its proposal.", { path });
}

/** Why a window cannot decide now. */
export function proposalsBusyMessage(t: Localize): string {
  return t("Another window is still writing or applying changes. Try again when it is done.");
}

/** Tells of files that two windows proposed changes for, each on its own. */
export function twiceProposedMessage(t: Localize, paths: readonly string[]): string {
  return t(
    "Two proposals are pending for {paths}. You see the older one after you decide the newer.",
    {
      paths: paths.join(", "),
    },
  );
}

/** Why a decision on the hunks of the file `path` had no effect. */
export function decisionProblemMessage(
  t: Localize,
  problem: DecisionProblem,
  path: string,
): string {
  switch (problem.code) {
    case "still-streaming":
      return t("Graft is still writing the proposal for {path}. Decide when it is complete.", {
        path,
      });
    case "out-of-step":
      return t(
        "The diff of {path} was outdated, so nothing changed. It is up to date now; decide again.",
        { path },
      );
    case "cannot-open":
      return t("Cannot open {path}, so nothing changed. The proposal is still pending.", { path });
    case "stale":
      return t(
        "{path} changed on disk, and its editor does not show that yet. Revert the file in its editor, then decide again.",
        {
          path,
        },
      );
    case "conflict":
      return t(
        "These lines of {path} changed meanwhile, so nothing was accepted. Resolve the conflict in the diff.",
        { path },
      );
    case "not-applied":
      return t(
        "VS Code did not apply the change to {path}. The proposal is still pending; try again.",
        { path },
      );
    case "cannot-create":
      return t("Cannot create {path}. It already exists, or its folder is not writable.", { path });
    case "unencodable":
      return fileErrorMessage({ code: "unencodable", path }, t);
    case "file-error":
      return fileErrorMessage(problem.error, t);
  }
}

/** Why a file operation was not done. */
export function operationProblemMessage(t: Localize, problem: OperationProblem): string {
  return problem.code === "file-error"
    ? fileErrorMessage(problem.error, t)
    : t("Accept the new file {path} first. That also makes it executable.", {
        path: problem.path,
      });
}

/** Asks whether a file is deleted although it changed since that was proposed. */
export function changedDeletionQuestion(t: Localize, path: string): string {
  return t("{path} changed after its deletion was proposed. Delete it anyway?", { path });
}
