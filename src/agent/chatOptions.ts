import type { Localize } from "../base/localize.ts";
import type { Result } from "../base/result.ts";
import type { ChangeJournal } from "../edits/history/changeJournal.ts";
import type { ModelClient } from "../model/modelClient.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { Approval } from "../ports/approval.ts";
import type { EventLog } from "../ports/eventLog.ts";
import type { Logger } from "../ports/logger.ts";
import type { Question } from "../ports/question.ts";
import type { Reviewer } from "../ports/review.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Syntax } from "../syntax/syntax.ts";
import type { Tool } from "../tools/tool.ts";
import type { EditorView } from "../turns/turnEvent.ts";
import type { RetryPolicy } from "./loop/retry.ts";

/** A model that is ready to be asked. */
export interface ModelConnection {
  readonly client: ModelClient;
  /** The model's name at the endpoint. */
  readonly model: string;
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
  /** Asks about a model that repeats itself; absent when non-interactive. */
  readonly question?: Question;
  /** Words what the user is asked; English by default. */
  readonly t?: Localize;
  /** Default {@link DEFAULT_RETRY}. */
  readonly retry?: RetryPolicy;
  /** Tools of the surroundings, besides reading, searching and editing files. */
  readonly tools: readonly Tool[];
  /** More tools for one turn, requested at its start. `unavailable` gets why there are none, see the notice. Never rejects. */
  turnTools?(signal: AbortSignal, unavailable: (detail: string | null) => void): Promise<readonly Tool[]>;
  readonly log: EventLog;
  /** Records every change of a file; the chat flushes it when it closes. */
  readonly journal: ChangeJournal;
  readonly logger: Logger;
  /** Called at the start of every agent turn, so that settings take effect without a reload. */
  connect(): Promise<Result<ModelConnection, ModelError>>;
  /** Model answers a turn may take, at least 1. */
  maxSteps(): number;
  /** A model's tokens for a request and its answer together; by default {@link DEFAULT_CONTEXT_WINDOW}. */
  contextWindow?(model: string): number;
  /** The workspace-relative path of the file in the active editor, or null. */
  activeFile(): string | null;
  /** What else the editor shows. */
  editorView?(): EditorView;
}
