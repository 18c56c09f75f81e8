import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { err, ok } from "../../base/result.ts";
import type { EditorContext, EditorState, LineSpan } from "../../ports/editorState.ts";
import type { EditorView } from "../../turns/turnEvent.ts";
import { activeFilePath } from "./editTarget.ts";
import { lookAt } from "./unlessMissing.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** The most tabs that a request lists. */
const MAX_TABS = 10;
/** The most recently active files to remember. */
const MAX_RECENT = 50;

/** Workspace files, most recently active first. */
export class RecentFiles implements Disposable {
  private readonly listening: vscode.Disposable;
  private recent: readonly string[] = [];

  constructor() {
    this.listening = vscode.window.onDidChangeActiveTextEditor((editor) => this.add(editor));
    this.add(vscode.window.activeTextEditor);
  }

  /** Sorts paths by recency. Files that were never active come last. */
  sorted(paths: readonly string[]): readonly string[] {
    const known = this.recent.filter((path) => paths.includes(path));
    return [...known, ...paths.filter((path) => !known.includes(path))];
  }

  dispose(): void {
    this.listening.dispose();
  }

  private add(editor: vscode.TextEditor | undefined): void {
    const path = editor ? workspacePathOf(editor.document.uri) : null;
    if (path !== null)
      this.recent = [path, ...this.recent.filter((other) => other !== path)].slice(0, MAX_RECENT);
  }
}

/** The window's editors and tabs, without files outside the workspace. */
export function createVscodeEditorState(): EditorState {
  return {
    context: () => ({ active: activeFile(), tabs: openTabs() }),

    async open(file, lines) {
      const selection =
        lines && new vscode.Range(lines.first - 1, 0, lines.last - 1, Number.MAX_SAFE_INTEGER);
      const uri = vscode.Uri.parse(file.uri, true);
      try {
        await vscode.window.showTextDocument(uri, {
          preview: true,
          preserveFocus: true,
          ...(selection ? { selection } : {}),
        });
        return ok(null);
      } catch {
        return err({ code: (await lookAt(uri)) ? "binary" : "not-found", path: file.path });
      }
    },

    async reveal(file) {
      const uri = vscode.Uri.parse(file.uri, true);
      if (!(await lookAt(uri))) return err({ code: "not-found", path: file.path });
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return ok(null);
    },
  };
}

/**
 * The editor state for a request: lines of the active file, and the other tabs' files, most
 * recently active first.
 */
export function editorView(recent: RecentFiles): EditorView {
  const active = activeFile();
  const shown = activeFilePath();
  const { selection, visible } =
    active && active.path === shown ? active : { selection: null, visible: null };
  const others = openTabs().flatMap(({ path }) => (path === shown ? [] : [path]));
  return {
    selection: selection && { first: selection.first, last: selection.last },
    visible,
    tabs: recent.sorted(others).slice(0, MAX_TABS),
  };
}

/** The file of the active text editor. */
export function activeFile(): EditorContext["active"] {
  const editor = vscode.window.activeTextEditor;
  const path = editor ? workspacePathOf(editor.document.uri) : null;
  if (!editor || path === null) return null;
  const { document, selection, visibleRanges } = editor;
  const first = visibleRanges[0];
  const last = visibleRanges.at(-1);
  return {
    path,
    languageId: document.languageId,
    unsaved: document.isDirty,
    // The model does not count an empty line after a final line break.
    lineCount: Math.max(
      1,
      document.lineCount - (document.lineAt(document.lineCount - 1).text === "" ? 1 : 0),
    ),
    selection: selection.isEmpty
      ? null
      : { ...selectedLines(selection), text: document.getText(selection) },
    cursorLine: selection.active.line + 1,
    visible: first && last ? { first: first.start.line + 1, last: last.end.line + 1 } : null,
  };
}

/** The 1-based lines of a selection. If it ends at the start of a line, that line is excluded. */
export function selectedLines({ start, end }: vscode.Selection): LineSpan {
  return {
    first: start.line + 1,
    last: end.character === 0 ? Math.max(start.line + 1, end.line) : end.line + 1,
  };
}

/** The workspace files of the open tabs, in tab order. */
export function openTabs(): EditorContext["tabs"] {
  const seen = new Set<string>();
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap(({ input, isDirty }) => {
      const uri =
        input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook
          ? input.uri
          : null;
      const path = uri && workspacePathOf(uri);
      if (!path || seen.has(path)) return [];
      seen.add(path);
      return [{ path, unsaved: isDirty }];
    });
}
