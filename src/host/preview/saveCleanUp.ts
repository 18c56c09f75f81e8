import * as vscode from "vscode";

/** True when saving this document makes the editor change it: trim it, format it, organise its imports. */
export function isCleanedOnSave(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration("files", document);
  const editor = vscode.workspace.getConfiguration("editor", document);
  const trims = ["trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"].some((key) => files.get<boolean>(key) === true);
  const actions = Object.values(editor.get<Record<string, unknown>>("codeActionsOnSave") ?? {});
  return (
    trims ||
    editor.get<boolean>("formatOnSave") === true ||
    actions.some((when) => when === true || when === "explicit" || when === "always")
  );
}

/** Tells a key pressed while a document is being saved from what the editor cleans up in it: text put in at one place before the end. */
export function isTyped(event: vscode.TextDocumentChangeEvent): boolean {
  const [change] = event.contentChanges;
  if (!change || event.contentChanges.length > 1) return false;
  return change.text !== "" && change.rangeLength === 0 && change.rangeOffset + change.text.length < event.document.getText().length;
}
