import type { Result } from "../base/result.ts";
import { type ModelError, type ModelFailure, modelError } from "./modelFailure.ts";
import type { ChunkDecoder } from "./openai/chunkDecoder.ts";
import { providerSource } from "./providerData.ts";
import type { RequestTimeouts } from "./requestTimeouts.ts";
import type { StreamPart } from "./streamPart.ts";

/**
 * The longest answer (text, reasoning and arguments together) in UTF-16 units, and what each call
 * or gap adds.
 */
const MAX_LENGTH = 8_000_000;
const CALL_LENGTH = 8_000;

/**
 * One request and its answer, as chunks of the OpenAI API. `End` is what the chunks return when
 * they are over.
 */
export interface AnswerSource<End> {
  readonly endpoint: Pick<ModelError, "baseUrl" | "model">;
  readonly decoder: ChunkDecoder;
  /** Applies the limits and aborts with the caller; closed at the end. */
  readonly watch: RequestTimeouts;
  /** Sends the request, or returns why it was refused. */
  open(): Promise<Result<AsyncIterator<unknown, End>, ModelFailure>>;
  /** Why an answer that ended without a finish reason is not complete; null if it is. */
  ended(end: End, begun: boolean): ModelFailure | null;
  /** What an exception means. */
  thrown(reason: unknown, begun: boolean): ModelFailure | null;
}

/**
 * Streams an answer within its limits. Never throws: a failure is its last part. An abort by
 * `signal` comes before everything else, and a finish reason before a failure after it, unless a
 * piece is missing.
 */
export async function* readAnswer<End>(
  source: AnswerSource<End>,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, void, undefined> {
  const { endpoint, decoder, watch } = source;
  let begun = false;
  let length = 0;
  let failure: ModelFailure | null = null;
  try {
    const opened = await source.open();
    if (opened.ok) {
      const chunks = opened.value;
      let next = await watch.wait(chunks.next());
      for (; !next.done && length <= MAX_LENGTH; next = await watch.wait(chunks.next())) {
        const parts = decoder.push(next.value);
        if (parts.length > 0) {
          begun ||= parts.some(({ type }) => type !== "gap");
          watch.pause();
          yield* parts;
          for (const part of parts) length += lengthOf(part);
        }
        if (decoder.finished) watch.enter("finishing");
        else if (begun) watch.enter("idle-timeout");
      }
      failure = next.done ? source.ended(next.value, begun) : { code: "overlong", begun };
    } else failure = opened.error;
  } catch (reason) {
    failure = source.thrown(reason, begun);
  } finally {
    watch.dispose();
  }
  if (signal.aborted) failure = { code: "aborted" };
  else if (decoder.finished && !decoder.hasGap) failure = null;
  else if (watch.timeout) failure = { ...watch.timeout, begun };
  if (failure === null) {
    yield* decoder.finish(providerSource(endpoint));
  } else {
    yield* decoder.breakOff();
    yield { type: "error", error: modelError(failure, endpoint) };
  }
}

function lengthOf(part: StreamPart): number {
  if (part.type === "tool-call-start" || part.type === "gap") return CALL_LENGTH;
  if (part.type === "tool-call-delta") return part.argsText.length;
  return "text" in part ? part.text.length : 0;
}
