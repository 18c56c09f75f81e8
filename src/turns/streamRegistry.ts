import type { Disposable } from "../base/disposable.ts";
import type { FinishReason } from "../model/streamPart.ts";
import type { TurnEventBody } from "./turnEvent.ts";

/** How one message of the model ended. */
export interface MessageEnd {
  /**
   * `error` for a transport error, `cancelled` for an abort; anything but `stop`, `tool-calls` and
   * `unknown` leaves an open block incomplete.
   */
  readonly reason: FinishReason | "error" | "cancelled";
  /** True when tool calls of the same message are about to run. */
  readonly moreCalls: boolean;
}

/** A tool that receives the answer's text while it streams, such as an edit session. */
export interface StreamListener {
  /** A message of the model begins; `step` is its 0-based number in the turn. */
  messageStart(step: number): void;
  /** A piece of the answer's text, without thinking and tool arguments. */
  text(delta: string): void;
  /** The text of the message so far was thinking. */
  textWasReasoning?(): void;
  /** The text of the message so far may be thinking: a tag in it can be read both ways. */
  textMayBeReasoning?(): void;
  /**
   * Settles when what is complete of the text outlasts a crash, or cannot; absent or null where
   * nothing has to.
   */
  readonly kept?: Promise<void> | null;
  /**
   * The message is over. Settles with a report for the model, or null; nothing waits for the user.
   */
  messageEnd(end: MessageEnd, signal: AbortSignal): Promise<string | null>;
  /** The turn is over, whatever the reason. */
  dispose(): void;
}

/** The tools that receive the stream of a turn, by call id. */
export interface StreamRegistry {
  /**
   * Adds a listener until the result is disposed. Replaces and disposes of an earlier one of the
   * same call.
   */
  register(callId: string, listener: StreamListener): Disposable;
}

/** Records an event of a turn and shows it to the user. */
export type EmitTurnEvent = (body: TurnEventBody) => void;
