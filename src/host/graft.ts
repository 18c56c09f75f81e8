import type * as vscode from "vscode";
import type { Chat } from "../agent/chat.ts";
import type { ChatCommands } from "./chats/chatCommands.ts";
import type { Panel } from "./chatView.ts";
import type { AppliedReview } from "./preview/appliedReview.ts";
import type { DiffPreview } from "./preview/diffPreview.ts";
import type { FileRestore } from "./restore/fileRestore.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";

/** Everything behind the view and the commands, built on first use. */
export interface Graft extends Pick<FileRestore, "restoreFiles" | "restoreApplied"> {
  readonly workspace: VscodeWorkspace;
  readonly preview: DiffPreview;
  /** What was applied and can be looked at afterwards. */
  readonly applied: AppliedReview;
  /** The chat that the panel shows. */
  readonly chat: Chat;
  /** Opens, renames, deletes and exports chats. */
  readonly chatCommands: ChatCommands;
  startNewChat(): Promise<void>;
  /** Shows the chat that was open in another window; says so where it still is. */
  openChatElsewhere(): Promise<void>;
  connectPanel(panel: Panel): vscode.Disposable;
  focusComposer(): void;
  /** Lists what the user allowed for longer than a turn, to take it back. Settles with the sentence that was shown. */
  showPermissions(): Promise<string | undefined>;
  askApiKey(): Promise<void>;
  clearApiKey(): Promise<void>;
  /** Runs a request of the user and logs what it rejects with. */
  run(what: string, work: Promise<unknown>): void;
  /** Stops what runs, ends what it started and writes what is unwritten; settles within four seconds. */
  dispose(): Promise<void>;
}
