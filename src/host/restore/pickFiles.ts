import * as vscode from "vscode";
import { t } from "../localize.ts";
import { blockReasonMessage, restorationMessage } from "./messages.ts";
import type { PlannedFile } from "./restorePlan.ts";

/** A file and the text it gets, null for none. */
export interface ChosenFile {
  readonly file: PlannedFile;
  readonly text: string | null;
}

interface FileItem extends vscode.QuickPickItem {
  /** Null for a file that cannot be picked. */
  readonly chosen: ChosenFile | null;
}

/** Shows what would happen to each file and lets the user choose; undefined when they leave. Blocked files are shown but cannot be picked. */
export function pickFiles(files: readonly PlannedFile[], title: string): Promise<readonly ChosenFile[] | undefined> {
  const items = files.flatMap(itemsOf);
  const picker = vscode.window.createQuickPick<FileItem>();
  picker.title = title;
  picker.placeholder = t("Press Enter to undo the changes in the selected files.");
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.items = items;
  picker.selectedItems = items.filter(({ picked }) => picked);
  return new Promise((resolve) => {
    picker.onDidChangeSelection((selected) => {
      const possible = selected.filter(({ chosen }) => chosen !== null);
      if (possible.length < selected.length) picker.selectedItems = possible;
    });
    picker.onDidAccept(() => {
      resolve(picker.selectedItems.flatMap(({ chosen }) => (chosen ? [chosen] : [])));
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function itemsOf(file: PlannedFile): FileItem[] {
  const { path, restoration } = file;
  if (restoration.kind === "nothing") return [];
  if (restoration.kind === "possible") {
    return [{ label: path, description: restorationMessage(t, file), picked: true, chosen: { file, text: restoration.text } }];
  }
  const blocked = { label: `$(circle-slash) ${path}`, description: blockReasonMessage(t, restoration.reason), chosen: null };
  if (!restoration.deletable) return [blocked];
  const label = t("$(trash) Delete {path}", { path });
  return [blocked, { label, description: t("including your later edits"), picked: false, chosen: { file, text: null } }];
}
