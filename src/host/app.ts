import type { Chat } from "../agent/chat/chat.ts";
import type { Disposable } from "../base/disposable.ts";
import type { DemoPorts } from "../demo/demoSource.ts";
import type { OpenChats } from "../review/chats/openChats.ts";
import type { Answers } from "./candidates/answers.ts";
import type { Draft } from "./candidates/sendToModels.ts";
import type { ChatCommands } from "./chats/chatCommands.ts";
import type { CheckCommands } from "./checks/openChecks.ts";
import type { ChatContext } from "./context/chatContext.ts";
import type { Guests } from "./guests/guests.ts";
import type { ModelCommands } from "./models/modelCommands.ts";
import type { SharedModels } from "./models/sharedModels.ts";
import type { ChatBridge } from "./panel/chatBridge.ts";
import type { ConnectPanel } from "./panel/chatView.ts";
import type { NewProblemsOffer } from "./panel/newProblemsOffer.ts";
import type { ShowBadge } from "./panel/pendingIndicators.ts";
import type { Plans } from "./plans/openPlans.ts";
import type { WorkspaceAgents } from "./plans/workspaceAgents.ts";
import type { DiffPreview } from "./preview/diffPreview.ts";
import type { SharingWindow } from "./preview/exportProposals.ts";
import type { FileRestore } from "./restore/fileRestore.ts";
import type { VoiceControl } from "./voice/voiceControl.ts";
import type { VscodeWorkspace } from "./workspace/vscodeWorkspace.ts";

/** What the messages of panels act on. */
export interface PanelApp {
  readonly workspace: VscodeWorkspace;
  readonly preview: DiffPreview;
  /** What is exported and imported as files. */
  readonly sharing: SharingWindow;
  readonly restore: FileRestore;
  readonly newProblems: NewProblemsOffer;
  readonly checks: CheckCommands;
  readonly guests: Guests;
  readonly context: ChatContext;
  readonly answers: Answers;
  readonly models: ModelCommands;
  /** What the scripted model of demo mode reads. */
  readonly demo: DemoPorts;
  readonly sharedModels: SharedModels;
  readonly chats: OpenChats<Chat>;
  /** The chat that the user works in. */
  readonly chat: Chat;
  readonly chatCommands: ChatCommands;
  readonly plans: Plans;
  readonly agents: WorkspaceAgents;
  readonly voice: VoiceControl;
  readonly bridge: ChatBridge;
  /** Lists lasting permissions, so that the user can revoke them. */
  showPermissions(): Promise<void>;
  /** Lists what Graft learned about models, so that the user can clear it. */
  showLearned(): Promise<void>;
  /** Measures in which format the chosen model edits best. */
  testEdits(): Promise<void>;
  /** Opens what helps to understand a problem. */
  diagnose(): Promise<void>;
  /** Ends the command that a call left running. */
  stopCommand(turnId: string, callId: string): Promise<void>;
  /** Starts the command that a call left running again. */
  restartCommand(turnId: string, callId: string): Promise<void>;
  /** Asks which running commands to end. */
  chooseCommandToStop(): Promise<void>;
  /** See `sendToModels`; `context` is of the draft's composer. */
  sendToModels(chat: Chat, context: ChatContext, draft: Draft): Promise<boolean>;
  /** Sends the draft of the composer that the user works in to several models. */
  sendDraftToModels(): Promise<void>;
  /** Stops the turn of a chat, and speech. */
  stop(chatId: string | undefined): void;
  /** Runs a user action and logs its failure. */
  run(what: string, work: Promise<unknown>): void;
  /** Stops everything and saves pending data, within four seconds. */
  dispose(): Promise<void>;
}

/** Everything that the view and the commands act on. Built on first use. */
export interface App extends PanelApp {
  /** Connects the side bar's panel. */
  connectPanel(...given: [...Parameters<ConnectPanel>, ShowBadge]): ReturnType<ConnectPanel>;
  /** Shows a chat beside the side bar, until it is disposed of. */
  openTab(chat: Chat): { readonly connect: ConnectPanel } & Disposable;
}
