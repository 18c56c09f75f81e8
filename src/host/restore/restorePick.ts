import * as vscode from "vscode";
import { counted } from "../../base/counted.ts";
import { blockedText } from "../../edits/messages.ts";
import { t } from "../localize.ts";
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

/** Shows what would happen to each file and lets the user choose; undefined when he leaves. Conflicts are shown and cannot be picked. */
export function pickFiles(files: readonly PlannedFile[], title: string): Promise<readonly ChosenFile[] | undefined> {
  const items = files.flatMap(itemsOf);
  const picker = vscode.window.createQuickPick<FileItem>();
  picker.title = title;
  picker.placeholder = "Enter restores what is picked. One undo takes it back.";
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
    return [{ label: path, description: willHappen(file), picked: true, chosen: { file, text: restoration.text } }];
  }
  const stays = { label: `$(circle-slash) ${path}`, description: cannot(blockedText(restoration.reason, t)), chosen: null };
  if (!restoration.deletable) return [stays];
  const words = "with your later edits in it";
  return [stays, { label: `$(trash) Delete ${path}`, description: words, picked: false, chosen: { file, text: null } }];
}

/** Why a file cannot be restored, as it goes on behind the file's name. */
export function cannot(reason: string): string {
  return `cannot be restored: ${reason}`;
}

function willHappen({ current, restoration }: PlannedFile): string {
  if (restoration.kind !== "possible") return "";
  if (restoration.text === null) return "is deleted: Graft created it";
  if (current === null) return "is made again";
  const changes = counted(restoration.changes, "change");
  return restoration.keepsEdits ? `${changes}; your later edits are kept` : changes;
}
