import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { watchValue } from "../../base/watchValue.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { activeFilePath } from "../workspace/editTarget.ts";
import { activeFile } from "../workspace/vscodeEditorState.ts";

/** Milliseconds between two updates of a changing selection. */
const INTERVAL_MS = 60;

/**
 * The selection in the active editor, else its file, which each request tells the model. Null if
 * there is none.
 */
export function activeFileRef(): AttachmentRef | null {
  const path = activeFilePath();
  if (path === null) return null;
  const active = activeFile();
  const selection = active?.path === path ? active.selection : null;
  const lines = selection && { first: selection.first, last: selection.last };
  return { kind: lines ? "selection" : "file", path, lines, name: "", text: null };
}

/** Calls `show` with {@link activeFileRef} now and whenever it changes. */
export function watchActiveFile(show: (ref: AttachmentRef | null) => void): Disposable {
  const listen = (changed: () => void) =>
    vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(changed),
      vscode.window.onDidChangeTextEditorSelection(changed),
      vscode.window.tabGroups.onDidChangeTabs(changed),
      vscode.window.tabGroups.onDidChangeTabGroups(changed),
    );
  return watchValue(activeFileRef, listen, INTERVAL_MS, show);
}
