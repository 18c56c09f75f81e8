import type * as vscode from "vscode";
import type { Chat } from "../agent/chat.ts";
import type { Panel } from "./chatView.ts";
import type { DiffPreview } from "./preview/diffPreview.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";

/** Everything behind the view and the commands, built on first use. */
export interface Graft {
  readonly workspace: VscodeWorkspace;
  readonly preview: DiffPreview;
  /** The chat that the panel shows. */
  readonly chat: Chat;
  startNewChat(): Promise<void>;
  connectPanel(panel: Panel): vscode.Disposable;
  focusComposer(): void;
  askApiKey(): Promise<void>;
  clearApiKey(): Promise<void>;
  /** Runs a request of the user and logs what it rejects with. */
  run(what: string, work: Promise<unknown>): void;
  /** Stops what runs and writes what is unwritten. */
  dispose(): Promise<void>;
}
