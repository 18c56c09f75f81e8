import type { Localize } from "../base/localize.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import type { EditTargetProblem } from "./workspace/editTarget.ts";

/** Why edit mode did not start. */
export type StartProblem = EditTargetProblem | { readonly code: "busy" | "no-instruction" };

/** What to tell the user when edit mode did not start. */
export function startProblemMessage(t: Localize, problem: StartProblem): string {
  switch (problem.code) {
    case "busy":
      return t("Graft is still working on the last request. Wait for it or stop it, then start edit mode.");
    case "no-instruction":
      return t("Describe what should change.");
    case "no-file":
      return t("No file is open. Open the file to edit, or use the Explorer's context menu.");
    case "unsaved-file":
      return t("This file has not been saved yet. Save it in the workspace, then start edit mode.");
    case "not-a-file":
      return t("This is not a workspace file. Open the file itself to edit it.");
    default:
      return fileErrorMessage(problem, t);
  }
}

/** `1 change`, `3 changes`. */
export function changeCount(t: Localize, count: number): string {
  return count === 1 ? t("1 change") : t("{count} changes", { count });
}

/** `1 file`, `3 files`. */
export function fileCount(t: Localize, count: number): string {
  return count === 1 ? t("1 file") : t("{count} files", { count });
}
