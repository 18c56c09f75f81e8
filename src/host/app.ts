import type { Chat } from "../agent/chat/chat.ts";
import type { ChatCommands } from "./chats/chatCommands.ts";
import type { CurrentChat } from "./chats/currentChat.ts";
import type { CheckCommands } from "./checks/openChecks.ts";
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

/** Everything that the view and the commands act on. Built on first use. */
export interface App {
  readonly workspace: VscodeWorkspace;
  readonly preview: DiffPreview;
  /** Applied changes that still need review. */
  readonly applied: AppliedReview;
  readonly restore: FileRestore;
  readonly newProblems: NewProblemsOffer;
  readonly checks: CheckCommands;
  readonly context: ChatContext;
  readonly models: ModelCommands;
  readonly chats: CurrentChat<Chat>;
  /** The chat shown in the panel. */
  readonly chat: Chat;
  readonly chatCommands: ChatCommands;
  readonly voice: VoiceControl;
  readonly bridge: ChatBridge;
  readonly connectPanel: ConnectPanel;
  /** Lists lasting permissions, so that the user can revoke them. */
  showPermissions(): Promise<void>;
  /** Lists what Graft learned about models, so that the user can clear it. */
  showLearned(): Promise<void>;
  /** Opens what helps to understand a problem. */
  diagnose(): Promise<void>;
  /** Stops the turn and its speech. */
  stop(): void;
  /** Runs a user action and logs its failure. */
  run(what: string, work: Promise<unknown>): void;
  /** Stops everything and saves pending data, within four seconds. */
  dispose(): Promise<void>;
}
