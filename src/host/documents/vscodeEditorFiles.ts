import * as vscode from "vscode";
import type { Workspace } from "../../ports/workspace.ts";
import type { PositionEdit } from "../../review/documents/documentSync.ts";
import type { EditorFiles } from "../../review/documents/editorFiles.ts";
import { canHold } from "../workspace/encodeText.ts";
import { diskText, isStale } from "../workspace/isStale.ts";
import { lookAt } from "../workspace/unlessMissing.ts";
import { WorkspaceEditApplier } from "../workspace/workspaceEditApplier.ts";

/** The user's files and documents in VS Code; changes stay inside the workspace. */
export function vscodeEditorFiles(
  workspace: Pick<Workspace, "resolve">,
): EditorFiles<vscode.TextDocument> {
  const applier = new WorkspaceEditApplier(workspace);
  return {
    apply: editDocument,
    openFile: (uri) => Promise.resolve(vscode.workspace.openTextDocument(parsed(uri))),
    async stateOf(uri) {
      const stat = await lookAt(parsed(uri));
      return stat && `${stat.mtime} ${stat.size}`;
    },
    isStale,
    onDisk: diskText,
    canHold,
    rewrite: (files) => applier.rewrite(files).catch(() => false),
    save: (document) => Promise.resolve(document.save()),
    cleanUpOnSave,
  };
}

function parsed(uri: string): vscode.Uri {
  return vscode.Uri.parse(uri, true);
}

/** False when the document's version is no longer the known one, for example after a keystroke. */
async function editDocument(
  document: vscode.TextDocument,
  edits: readonly PositionEdit[],
): Promise<boolean> {
  const { version } = document;
  const replacements = edits.map(({ start, end, newText }) =>
    vscode.TextEdit.replace(
      new vscode.Range(start.line, start.character, end.line, end.character),
      newText,
    ),
  );
  const typed = await editAsTyped(document, replacements);
  // A read-only editor says that it made the edit, and does not: its document stays at this
  // version.
  if (document.version !== version) return typed;
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, replacements);
  return vscode.workspace.applyEdit(edit);
}

/**
 * Replaces text with surrogate pairs through an editor that shows it; false where none does. VS
 * Code reduces a workspace edit of the focused editor to the differing UTF-16 units
 * (`computeMoreMinimalEdits`), unless it is read-only, and would replace half a pair.
 */
async function editAsTyped(
  document: vscode.TextDocument,
  edits: readonly vscode.TextEdit[],
): Promise<boolean> {
  const editor = vscode.window.visibleTextEditors.find((visible) => visible.document === document);
  const hasPairs = edits.some(
    ({ range, newText }) => newText !== "" && /[\ud800-\udfff]/.test(document.getText(range)),
  );
  if (!editor || !hasPairs) return false;
  return editor.edit((builder) => {
    for (const { range, newText } of edits) builder.replace(range, newText);
  });
}

/** What the settings make VS Code change when it saves a document. */
function cleanUpOnSave(document: vscode.TextDocument): "nothing" | "blanks" | "anything" {
  const files = vscode.workspace.getConfiguration("files", document);
  const editor = vscode.workspace.getConfiguration("editor", document);
  const actions = Object.values(editor.get<Record<string, unknown>>("codeActionsOnSave") ?? {});
  const runs = actions.some((when) => when === true || when === "explicit" || when === "always");
  if (runs || editor.get<boolean>("formatOnSave") === true) return "anything";
  const trims = ["trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"].some(
    (key) => files.get<boolean>(key) === true,
  );
  return trims ? "blanks" : "nothing";
}
