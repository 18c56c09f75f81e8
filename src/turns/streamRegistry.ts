import type { Disposable } from "../base/disposable.ts";
import type { FinishReason } from "../model/streamPart.ts";
import type { TurnEventBody } from "./turnEvent.ts";

/** How one message of the model ended. */
export interface MessageEnd {
  /** `error` for a transport error, `cancelled` for an abort; anything but `stop`, `tool-calls` and `unknown` leaves an open block incomplete. */
  readonly reason: FinishReason | "error" | "cancelled";
  /** True when tool calls of the same message are about to run. */
  readonly moreCalls: boolean;
}

/** An active tool request that receives the answer's text while it streams, such as an edit session. */
export interface StreamListener {
  /** A message of the model begins; `step` is its 0-based number in the turn. */
  messageStart(step: number): void;
  /** A piece of the answer's text; never thinking, never tool arguments. */
  text(delta: string): void;
  /**
   * The message is over. May take as long as the user's review does; aborting `signal` ends it early. Settles with what to tell the
   * model as the next input of the same turn, null for nothing.
   */
  messageEnd(end: MessageEnd, signal: AbortSignal): Promise<string | null>;
  /** The turn is over, whatever the reason: lets go of everything. */
  dispose(): void;
}

/** The active tool requests of a turn, keyed by tool-call id. */
export interface StreamRegistry {
  /** Adds a request; the returned value removes it. Registering a call id again replaces (and disposes of) the earlier listener. */
  register(callId: string, listener: StreamListener): Disposable;
}

/** Puts an event of the running turn on record and before the user. */
export type EmitTurnEvent = (body: TurnEventBody) => void;
