import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import { t } from "../localize.ts";
import { blockReasonMessage, restorationMessage } from "./messages.ts";
import type { PlannedFile } from "./restorePlan.ts";

/** Shows what would happen to each file and lets the user choose; undefined when they leave. */
export async function pickFiles(
  files: readonly PlannedFile[],
  title: string,
): Promise<readonly PlannedFile[] | undefined> {
  const picked = await vscode.window.showQuickPick(files.map(plannedItem), {
    title,
    placeHolder: t("Press Enter to undo the changes in the selected files."),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ file }) => file);
}

function plannedItem(file: PlannedFile): vscode.QuickPickItem & { readonly file: PlannedFile } {
  const { restoration } = file;
  const path = visibleLine(file.path);
  if (restoration.kind !== "blocked")
    return { label: path, description: restorationMessage(t, file), picked: true, file };
  return {
    label: `$(circle-slash) ${path}`,
    description: blockReasonMessage(t, restoration.reason),
    file,
  };
}
