import type { Chat } from "../agent/chat/chat.ts";
import type { ChatCommands } from "./chats/chatCommands.ts";
import type { CurrentChat } from "./chats/currentChat.ts";
import type { ChatContext } from "./context/chatContext.ts";
import type { ModelCommands } from "./models/modelCommands.ts";
import type { ChatBridge } from "./panel/chatBridge.ts";
import type { ConnectPanel } from "./panel/chatView.ts";
import type { NewProblemsOffer } from "./panel/newProblemsOffer.ts";
import type { DiffPreview } from "./preview/diffPreview.ts";
import type { AppliedReview } from "./restore/appliedReview.ts";
import type { FileRestore } from "./restore/fileRestore.ts";
import type { VoiceControl } from "./voice/voiceControl.ts";
import type { VscodeWorkspace } from "./workspace/vscodeWorkspace.ts";

/** Everything the view and the commands act on, built on first use. */
export interface App {
  readonly workspace: VscodeWorkspace;
  readonly preview: DiffPreview;
  /** Changes that were applied and not yet reviewed. */
  readonly applied: AppliedReview;
  readonly restore: FileRestore;
  readonly newProblems: NewProblemsOffer;
  readonly context: ChatContext;
  readonly models: ModelCommands;
  readonly chats: CurrentChat<Chat>;
  /** The chat that the panel shows. */
  readonly chat: Chat;
  readonly chatCommands: ChatCommands;
  readonly voice: VoiceControl;
  readonly bridge: ChatBridge;
  readonly connectPanel: ConnectPanel;
  /** Lists the permissions that outlast a turn, to revoke them. */
  showPermissions(): Promise<void>;
  /** Lists what answers taught about models, to forget it. */
  showLearned(): Promise<void>;
  /** Stops the turn, and what is spoken of it. */
  stop(): void;
  /** Runs a request of the user and logs its failure. */
  run(what: string, work: Promise<unknown>): void;
  /** Stops what runs and writes what is unwritten, within four seconds. */
  dispose(): Promise<void>;
}
