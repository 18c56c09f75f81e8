import type { Message, ToolSpec } from "./message.ts";
import type { StreamPart } from "./streamPart.ts";

/** One request to a model. Without tools it has no tool fields at all. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** True while code blocks of the answer are file content and so never tool calls. */
  readonly blocksAreContent?: boolean;
}

/** A model at an endpoint. */
export interface ModelClient {
  /** The endpoint's address; models at different endpoints can have the same name. */
  readonly baseUrl: string;
  /** Streams one answer. Never throws: a failure is its last part. Each call starts and ends at most once, with a new id. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>;
}

/** Time limits of a request, in milliseconds. */
export interface ModelTimeLimits {
  /** Until the server responds. A slow but reachable server gets until `firstTokenMs`. */
  readonly connectMs: number;
  /** From then on until the first text, thinking or tool call. */
  readonly firstTokenMs: number;
  /** Between two arrivals of data. */
  readonly idleMs: number;
}
