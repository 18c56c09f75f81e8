import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import { t } from "../localize.ts";
import { blockReasonMessage, restorationMessage } from "./messages.ts";
import type { PlannedFile } from "./restorePlan.ts";

/** A file and the text it gets, null for none. */
export interface ChosenFile {
  readonly file: PlannedFile;
  readonly text: string | null;
}

/**
 * Shows what would happen to each file and lets the user choose; undefined when they leave. Picking
 * a blocked file has no effect.
 */
export async function pickFiles(
  files: readonly PlannedFile[],
  title: string,
): Promise<readonly ChosenFile[] | undefined> {
  const picked = await vscode.window.showQuickPick(files.map(plannedItem), {
    title,
    placeHolder: t("Press Enter to undo the changes in the selected files."),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.flatMap(({ file }) => chosenFile(file));
}

/** A file with the text that it gets, where it can be restored. */
export function chosenFile(file: PlannedFile): readonly ChosenFile[] {
  return file.restoration.kind === "possible" ? [{ file, text: file.restoration.text }] : [];
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
