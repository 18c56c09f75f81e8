import { createParser } from "eventsource-parser";
import { parseJson } from "../../base/text/parseJson.ts";
import type { ModelFailure } from "../modelFailure.ts";
import { eventError } from "./openaiChunk.ts";

/** The longest event or completion that is read, in UTF-16 units. */
export const MAX_EVENT = 4_000_000;

/** How much of a text that is no answer is kept, in UTF-16 units. */
const MAX_SAID = 1_000;
/** Gateways keep a connection alive with empty events, or events that contain a comment. */
const KEEP_ALIVE = /^\s*(?::|$)/;

/** How a response ended: complete (null), with an error from the server, or with a failure. */
export type ChunksEnd = null | { readonly error: unknown } | ModelFailure;

/** Gives the next text of a body, or null at its end. */
export type ReadText = () => Promise<string | null>;

/**
 * Reads a body as text. Closes it when `signal` aborts, also if the body does not follow the signal
 * itself.
 */
export function textReader(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onBytes?: () => void,
): ReadText {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined), {
    once: true,
  });
  return async () => {
    const { done, value } = await reader.read();
    if (done) return null;
    onBytes?.();
    return decoder.decode(value, { stream: true });
  };
}

/**
 * Reads the chunks of an answer: server-sent events, or one completion in JSON. Gives `undefined`
 * for an event that is not JSON. The iterator of OpenAI's client loses empty events, comments sent
 * as data and whole completions, which servers send (`clientIterator.test.ts`).
 */
export async function* readChunks(read: ReadText): AsyncGenerator<unknown, ChunksEnd, undefined> {
  let text: string | null = "";
  while (text === "") text = (await read())?.trimStart() ?? null;
  if (text === null) return { code: "empty" };
  if (text.startsWith("<")) return { code: "web-page" };
  if (/^[{["]/.test(text)) {
    const json = await readAll(read, MAX_EVENT, text);
    if (json.length > MAX_EVENT) return { code: "overlong" };
    const chunk = parseChunk(json);
    if (chunk === null) return { code: "unreadable" };
    if ("error" in chunk) return chunk;
    yield chunk.value;
    return null;
  }
  let begin = "";
  const events: string[] = [];
  let invalid: ModelFailure | null = null;
  let overlong = false;
  let complete = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => events.push(data),
    onError({ type }) {
      overlong ||= type === "max-buffer-size-exceeded";
    },
  });
  for (; ; text = await read()) {
    if (begin.length < MAX_SAID) begin += text ?? "";
    // A last event may lack its blank line.
    parser.feed(text ?? "\n\n");
    for (const data of events.splice(0)) {
      // The rest is read but ignored, so that the connection can be used again.
      complete ||= data.trimStart().startsWith("[DONE]");
      if (complete || KEEP_ALIVE.test(data)) continue;
      const chunk = parseChunk(data);
      if (chunk === null) invalid ??= { code: "invalid-json", said: data };
      else if ("error" in chunk) return chunk;
      yield chunk?.value;
    }
    if (overlong) return { code: "overlong" };
    if (text === null && !isStream(begin)) return { code: "unreadable", said: begin };
    if (text === null) return invalid ?? (complete ? null : { code: "interrupted" });
  }
}

const STREAM_FIELDS = ["data", "event", "id", "retry", ":"];

/** True for the beginning of server-sent events, also where it is cut. */
function isStream(begin: string): boolean {
  return STREAM_FIELDS.some((field) => begin.startsWith(field) || field.startsWith(begin));
}

/** A chunk or an error of the server; null where the text is not JSON. */
function parseChunk(
  json: string,
): { readonly value: unknown } | { readonly error: unknown } | null {
  const value = parseJson(json);
  if (value === undefined) return null;
  const chunk: unknown = Array.isArray(value) ? value[0] : value;
  const error = eventError(chunk);
  return error === null ? { value: chunk } : { error };
}

/** The rest of a body after `begin`. A body longer than `limit` is clipped somewhere beyond it. */
export async function readAll(read: ReadText, limit: number, begin = ""): Promise<string> {
  let text = begin;
  while (text.length <= limit) {
    const more = await read();
    if (more === null) break;
    text += more;
  }
  return text;
}
