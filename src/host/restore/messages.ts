import type { Localize } from "../../base/localize.ts";
import { blockedText } from "../../edits/messages.ts";
import { fileErrorMessage } from "../../ports/messages.ts";
import type { NotRestored, PlannedFile, RestoreProblem } from "../../review/restore/restorePlan.ts";
import { changeCount } from "../messages.ts";

/** Why no file was restored. */
export function restoreProblemMessage(t: Localize, problem: RestoreProblem): string {
  switch (problem.code) {
    case "untrusted":
      return t(
        "This workspace is not trusted, so nothing can be changed. Run Workspaces: Manage Workspace Trust to trust it.",
      );
    case "busy":
      return t(
        "Graft is still working on the last request. Wait for it or stop it, then undo changes.",
      );
    case "no-record":
      return t("There is no record of these changes.");
    case "nothing-left":
      return t("These changes are no longer in the files.");
    case "blocked":
      return problem.files
        .map(({ path, reason }) => `${path}: ${blockReasonMessage(t, reason)}`)
        .join("\n");
    case "modes-kept":
      return t("The mode of {files} could not be changed.", {
        files: problem.paths.join(", "),
      });
    case "changed-meanwhile":
      return t("A file changed in the meantime, so nothing was undone. Try again.");
  }
}

/** Why one file cannot be restored. */
export function blockReasonMessage(t: Localize, reason: NotRestored): string {
  switch (reason.code) {
    case "file-error":
      return fileErrorMessage(reason.error, t);
    case "other-folders":
      return t("the workspace folders have changed");
    case "proposal-pending":
      return t("proposed changes are waiting for your decision");
    case "stale":
      return t("the editor does not show the latest version on disk yet");
    case "conflict":
      return blockedText(reason.reason, t);
  }
}

/** What undoing the changes does to a file that is not blocked. */
export function restorationMessage(t: Localize, { current, restoration }: PlannedFile): string {
  if (restoration.kind === "mode")
    return restoration.executable ? t("make executable again") : t("make no longer executable");
  if (restoration.kind !== "possible") return "";
  if (restoration.text === null) return t("delete; Graft created it");
  if (current === null) return t("create again");
  const changes = changeCount(t, restoration.changes);
  return restoration.keepsEdits ? t("{changes}; keeps later edits", { changes }) : changes;
}
