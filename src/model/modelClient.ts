import type { Message, ToolSpec } from "./message.ts";
import type { StreamPart } from "./streamPart.ts";

/** One request to a model. Without tools it has no tool fields at all. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /**
   * The bytes of the messages' images, by id. Of others, the model reads that it cannot see them.
   */
  readonly images?: ReadonlyMap<string, Uint8Array>;
  /** True while code blocks of the answer are file content. */
  readonly blocksAreContent?: boolean;
  /**
   * Set where the server takes no tools: the model was told to write calls with this word. No other
   * text is a call.
   */
  readonly callNonce?: string;
  /**
   * No server gets this: demo mode answers by it. Absent for requests that the user did not make.
   */
  readonly asked?: Asked;
}

/** What the user asked last, and what the turn did since. */
export interface Asked {
  readonly text: string;
  /** The file that the user started edit mode on, or null. */
  readonly editFile: string | null;
  /** The files that were attached, and the active one. */
  readonly files: readonly string[];
  /** The names of the tools that were called since. */
  readonly called: readonly string[];
  /** True once the model was told what became of its edits. */
  readonly reported: boolean;
}

/** The context window that a server gives a model now, in tokens. */
export interface ServerWindow {
  readonly tokens: number;
  /** False where the model is not loaded yet: then it is what the server uses unless told else. */
  readonly isLoaded: boolean;
}

/** A model at an endpoint. */
export interface ModelClient {
  /** The endpoint's address; models at different endpoints can have the same name. */
  readonly baseUrl: string;
  /** Asks the server for its window; null where it does not say. Absent where none can be asked. */
  window?(signal: AbortSignal): Promise<ServerWindow | null>;
  /**
   * Streams one answer. Never throws: a failure is its last part. Each call starts and ends at most
   * once, with a new id.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>;
}

/** How requests reach a server. */
export interface ModelServer {
  readonly baseUrl: string;
  /** Hidden in what the server says; `headers` send it. */
  readonly apiKey: string | null;
  /** Sent with every request, and never to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True where the user lets the key travel over `http:` to another machine. */
  readonly unencryptedKey?: boolean | undefined;
  readonly limits: ModelTimeLimits;
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
