import type { Localize } from "../base/localize.ts";
import type { Result } from "../base/result.ts";
import type { ChangeJournal } from "../edits/history/changeJournal.ts";
import type { EditFormat } from "../model/learnedCapabilities.ts";
import type { ModelClient } from "../model/modelClient.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { ModelInfo } from "../model/modelInfo.ts";
import type { Approval } from "../ports/approval.ts";
import type { AgentProgram } from "../ports/commands/chatAgent.ts";
import type { EventLog } from "../ports/eventLog.ts";
import type { ImageStore } from "../ports/imageStore.ts";
import type { Logger } from "../ports/logger.ts";
import type { Memory } from "../ports/memory.ts";
import type { Question } from "../ports/question.ts";
import type { Reviewer } from "../ports/review.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { WorkspaceFiles } from "../ports/workspaceFiles.ts";
import type { Syntax } from "../syntax/syntax.ts";
import type { ChatAgent } from "../tools/command/chatAgent.ts";
import type { ChatProposals } from "../tools/command/chatProposals.ts";
import type { Tool } from "../tools/tool.ts";
import type { AttachmentRef } from "../turns/attachment.ts";
import type { ChatMode } from "../turns/plan/chatMode.ts";
import type { EditorView } from "../turns/turnEvent.ts";
import type { RetryPolicy } from "./loop/retry.ts";

/** A model that is ready to be asked. */
export interface ModelConnection {
  readonly client: ModelClient;
  /** The model's name at the endpoint. */
  readonly model: string;
  /** What is known of it; null where nobody said. */
  readonly info: ModelInfo | null;
}

/** Another maker's agent that is ready to be asked. */
export interface AgentConnection {
  readonly agent: AgentProgram;
}

/** What an agent may take that a turn started. */
export interface InnerBudget {
  /** Model answers; never more than the user's setting for a turn. */
  readonly steps: number;
  /** Tokens of all its requests and answers. */
  readonly tokens: number;
  readonly ms: number;
}

/** The context window in tokens that most models have at least. */
export const DEFAULT_CONTEXT_WINDOW = 128_000;

/** Everything a chat needs from its surroundings. */
export interface ChatOptions {
  readonly chatId: string;
  readonly workspace: Workspace;
  readonly syntax: Syntax;
  readonly reviewer: Reviewer;
  readonly approval: Approval;
  /** Asks about a model that repeats itself or costs too much; absent when non-interactive. */
  readonly question?: Question;
  /** Words what the user is asked; English by default. */
  readonly t?: Localize;
  /** Default {@link DEFAULT_RETRY}. */
  readonly retry?: RetryPolicy;
  /**
   * The files as they are, for the tools that find, create, move and delete them; absent without
   * those tools.
   */
  readonly files?: WorkspaceFiles;
  /** Tools of the surroundings, besides reading, searching and editing files. */
  readonly tools: readonly Tool[];
  /** The tools that start processes, for what the chat proposes; absent without them. */
  processTools?(proposals: ChatProposals): readonly Tool[];
  /** True while a command runs that this call started; by default none does when a chat is opened. */
  isRunning?(turnId: string, callId: string): boolean;
  /**
   * More tools for one turn, requested at its start. `unavailable` gets why there are none, see the
   * notice. Never rejects.
   */
  turnTools?(
    signal: AbortSignal,
    unavailable: (detail: string | null) => void,
  ): Promise<readonly Tool[]>;
  /** Runs another maker's agent on what the chat proposes; absent where nothing can be run. */
  chatAgent?(proposals: ChatProposals): ChatAgent | null;
  readonly log: EventLog;
  /** Records every change of a file; the chat flushes it when it closes. */
  readonly journal: ChangeJournal;
  readonly logger: Logger;
  /**
   * Called at the start of every agent turn, so that settings take effect without a reload. Gives
   * `model` in place of the user's where the same connection is known to have it.
   */
  connect(model?: string): Promise<Result<ModelConnection | AgentConnection, ModelError>>;
  /** Keeps what is learned of models; by default as long as the chat is open. */
  readonly learned?: Memory;
  /** The mode of a chat where the user has not chosen one; by default that in which models edit. */
  readonly defaultMode?: ChatMode;
  /** Model answers a turn may take, at least 1. */
  maxSteps(): number;
  /** What an agent may take that a turn starts; absent for Graft's own limits. */
  readonly innerBudget?: InnerBudget;
  /**
   * What a turn may cost before the user is asked, in US dollars; null or absent without a limit.
   */
  maxTurnCost?(): number | null;
  /**
   * The user's setting for a model's tokens, request and answer together; null where it is left to
   * the model's own window.
   */
  contextWindow?(model: string): number | null;
  /**
   * The format that the user wants models to be asked for; null or absent where it follows the
   * model's record.
   */
  editFormat?(): EditFormat | null;
  /** The workspace-relative path of the file in the active editor, or null. */
  activeFile(): string | null;
  /** What else the editor shows. */
  editorView?(): EditorView;
  /** The images that users attach; absent where there are none. */
  readonly images?: ImageStore;
  /**
   * The text of an attachment that is neither a file nor a folder; null where it no longer exists.
   */
  readonly attached?: (ref: AttachmentRef, signal: AbortSignal) => Promise<string | null>;
}
