import * as vscode from "vscode";
import { err, ok } from "../base/result.ts";
import type { EditorContext, EditorState } from "../ports/editorState.ts";
import { spelledPath } from "./workspacePath.ts";

/** The window's editors and tabs; files outside of the workspace are not told of. */
export function createVscodeEditorState(): EditorState {
  return {
    context: () => ({ active: activeFile(), tabs: openTabs() }),

    async open(file, lines) {
      const selection = lines && new vscode.Range(lines.first - 1, 0, lines.last - 1, Number.MAX_SAFE_INTEGER);
      try {
        const uri = vscode.Uri.parse(file.uri, true);
        await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true, ...(selection ? { selection } : {}) });
        return ok(null);
      } catch {
        return err(`${file.path} cannot be opened as text.`);
      }
    },

    async reveal(file) {
      const uri = vscode.Uri.parse(file.uri, true);
      try {
        await vscode.workspace.fs.stat(uri);
      } catch {
        return err(`${file.path} does not exist.`);
      }
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return ok(null);
    },
  };
}

function activeFile(): EditorContext["active"] {
  const editor = vscode.window.activeTextEditor;
  const path = editor ? spelledPath(editor.document.uri) : null;
  if (!editor || path === null) return null;
  const { document, selection, visibleRanges } = editor;
  const first = visibleRanges[0];
  const last = visibleRanges.at(-1);
  return {
    path,
    languageId: document.languageId,
    unsaved: document.isDirty,
    lineCount: document.lineCount,
    selection: selection.isEmpty
      ? null
      : { first: selection.start.line + 1, last: selection.end.line + 1, text: document.getText(selection) },
    cursorLine: selection.active.line + 1,
    visible: first && last ? { first: first.start.line + 1, last: last.end.line + 1 } : null,
  };
}

function openTabs(): EditorContext["tabs"] {
  const seen = new Set<string>();
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input, isDirty }) => {
      const uri = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? input.uri : null;
      const path = uri && spelledPath(uri);
      if (!path || seen.has(path)) return [];
      seen.add(path);
      return [{ path, unsaved: isDirty }];
    });
}
