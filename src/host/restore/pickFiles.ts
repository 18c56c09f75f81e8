import * as vscode from "vscode";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { RestoredTurn } from "../../review/restore/restoreFiles.ts";
import type { PlannedFile } from "../../review/restore/restorePlan.ts";
import { agentsText } from "../../turns/messages.ts";
import { t } from "../localize.ts";
import { blockReasonMessage, restorationMessage } from "./messages.ts";

/**
 * Shows what would happen to each file and lets the user choose; undefined when they leave. A
 * blocked one that they pick stays as it is.
 */
export async function pickFiles(
  files: readonly PlannedFile[],
  whose: RestoredTurn,
): Promise<readonly PlannedFile[] | undefined> {
  const picked = await vscode.window.showQuickPick(files.map(plannedItem), {
    title: pickTitle(whose),
    placeHolder: t("Press Enter to undo the changes in the selected files."),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ file }) => file);
}

function pickTitle(whose: RestoredTurn): string {
  if ("agent" in whose)
    return t("Undo changes of {agent}", { agent: agentsText(t, [whose.agent]) });
  const { request } = whose;
  return request === ""
    ? t("Undo this turn's changes")
    : t("Undo changes since “{request}”", { request });
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
