import type { Result } from "../../base/result.ts";
import type { ModelError } from "../modelFailure.ts";

/**
 * Turns speech into text and text into speech; sound is as in an `AudioLine`. Never throws; an
 * error is why it failed, also after an abort.
 */
export interface Voice {
  /**
   * The words of an utterance; "" where none were recognized. `onWords` gets the words so far, from
   * a server that streams them.
   */
  transcribe(
    utterance: Int16Array,
    signal: AbortSignal,
    onWords?: (words: string) => void,
  ): Promise<Result<string, ModelError>>;
  /**
   * The sound of `text`, as it comes. Returns null when it is complete, otherwise why it is not.
   */
  speak(
    text: string,
    signal: AbortSignal,
  ): AsyncGenerator<Int16Array, ModelError | null, undefined>;
  /** True where the words and the speech are made up, for demonstration. */
  readonly isDemo?: boolean;
}
