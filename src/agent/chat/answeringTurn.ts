import type { Memory } from "../../ports/memory.ts";
import type { ChatAgent } from "../../tools/command/chatAgent.ts";
import type { InnerAgents } from "../../tools/tool.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import type { ChatMode } from "../../turns/plan/chatMode.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnTree, UserTurn } from "../../turns/turn.ts";
import type { ChatOptions, ModelConnection } from "../chatOptions.ts";
import type { SupportParts } from "../loop/partSupport.ts";
import type { StreamHub } from "../loop/streamHub.ts";
import type { ContextWindow } from "../request/contextWindow.ts";
import type { ChatTools } from "./chatTools.ts";
import type { EditFormats } from "./editFormats.ts";
import type { MessageQueue } from "./messageQueue.ts";

/** The parts of a chat that answer a request. */
export interface AnswerParts {
  readonly options: ChatOptions;
  readonly hub: StreamHub;
  readonly tree: TurnTree;
  readonly tools: ChatTools;
  readonly queue: MessageQueue;
  /** What was learned of each model's context window, by its address and size. */
  readonly windows: Map<string, ContextWindow>;
  /** What was learned of models. */
  readonly learned: Memory;
  readonly formats: EditFormats;
  /** Null where no agent of another maker can run. */
  readonly agent: ChatAgent | null;
  /** How the request is answered; the user who named a file to edit asked for edits. */
  readonly mode: ChatMode;
}

/** A turn that answers with a model. */
export interface AnsweringTurn extends AnswerParts {
  readonly turnId: string;
  readonly asked: UserTurn;
  readonly connection: ModelConnection;
  readonly emit: EmitTurnEvent;
  /** The tools of the chat and of this turn, as far as its mode allows. */
  readonly router: ToolRouter;
  readonly support: SupportParts;
  /** What the model is told besides, by its mode. */
  readonly instructions: readonly string[];
  /** Model answers, at least 1. */
  readonly maxSteps: number;
  /** Runs agents for the turn; null in the turn of one. */
  readonly agents: InnerAgents | null;
  readonly signal: AbortSignal;
}
