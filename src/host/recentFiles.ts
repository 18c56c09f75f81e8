import * as vscode from "vscode";
import type { Disposable } from "../base/disposable.ts";
import { spelledPath } from "./workspacePath.ts";

/** More are not remembered. */
const MAX_FILES = 50;

/** The files of the workspace in the order in which their editors were last active in this window, the latest first. */
export class RecentFiles implements Disposable {
  private readonly listening: vscode.Disposable;
  private recent: readonly string[] = [];

  constructor() {
    this.listening = vscode.window.onDidChangeActiveTextEditor((editor) => this.add(editor));
    this.add(vscode.window.activeTextEditor);
  }

  /** The same paths, those that were never active last. */
  sorted(paths: readonly string[]): readonly string[] {
    const known = this.recent.filter((path) => paths.includes(path));
    return [...known, ...paths.filter((path) => !known.includes(path))];
  }

  dispose(): void {
    this.listening.dispose();
  }

  private add(editor: vscode.TextEditor | undefined): void {
    const path = editor ? spelledPath(editor.document.uri) : null;
    if (path !== null) this.recent = [path, ...this.recent.filter((other) => other !== path)].slice(0, MAX_FILES);
  }
}
