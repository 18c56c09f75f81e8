import type { Message, ToolSpec } from "./message.ts";
import type { StreamPart } from "./streamPart.ts";

/** One request to a model. With no tools the request carries no tool fields at all. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Set where a code block of the answer is the content of a file: no call is looked for in one. */
  readonly blocksAreContent?: boolean;
}

/** A model behind an endpoint. */
export interface ModelClient {
  /** The endpoint's address, which tells its models from those of the same name elsewhere. */
  readonly baseUrl: string;
  /** Streams one answer. Never throws: failures are the stream's last part. Aborting `signal` closes the connection. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>;
}

/** Time limits of a request, in milliseconds. */
export interface ModelTimeLimits {
  /** Until the server answers at all. One that is slow to answer but reachable is waited for until `firstTokenMs`. */
  readonly connectMs: number;
  /** From then on until the first text, thinking or tool call. */
  readonly firstTokenMs: number;
  /** Between two arrivals of data. */
  readonly idleMs: number;
}
