import * as vscode from "vscode";

/** Milliseconds without a keystroke or click in an editor after which another document may come to the front. */
const QUIET_MS = 1500;

/** True where the user moved the cursor by key or mouse, as typing does. */
export function isByHand({ kind }: vscode.TextEditorSelectionChangeEvent): boolean {
  return kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
}

/** Knows whether the user is at work in a text editor, so that nothing replaces it under their hands. */
export class TypingMonitor implements vscode.Disposable {
  private last = Number.NEGATIVE_INFINITY;
  private readonly listener = vscode.window.onDidChangeTextEditorSelection((event) => {
    if (isByHand(event) && event.textEditor === vscode.window.activeTextEditor) this.last = Date.now();
  });

  /** Milliseconds until the user counts as idle; 0 when they are. */
  get remaining(): number {
    return Math.max(0, this.last + QUIET_MS - Date.now());
  }

  dispose(): void {
    this.listener.dispose();
  }
}
