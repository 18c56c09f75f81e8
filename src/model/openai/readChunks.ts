import { createParser } from "eventsource-parser";
import { parseJson } from "../../base/text/parseJson.ts";
import type { ModelFailure } from "../modelFailure.ts";
import { JsonObjects } from "./jsonObjects.ts";
import { eventError, readOpenaiChunk } from "./openaiChunk.ts";
import { unwrapChunk } from "./wrappedChunk.ts";

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
 * Reads the chunks of an answer: server-sent events, or JSON (one completion, an object a line, or a
 * list). Gives `undefined` for what is not JSON. The iterator of OpenAI's client loses empty events,
 * comments sent as data and whole completions, which servers send (`clientIterator.test.ts`).
 */
export async function* readChunks(read: ReadText): AsyncGenerator<unknown, ChunksEnd, undefined> {
  let text: string | null = "";
  while (text === "") text = (await read())?.trimStart() ?? null;
  if (text === null) return { code: "empty" };
  if (text.startsWith("<")) return { code: "web-page" };
  if (text.startsWith('"')) return readString(await readAll(read, MAX_EVENT, text));
  if (/^[{[]/.test(text)) return yield* readObjects(read, text);
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
    for (const data of events.splice(0).flatMap(dataOf)) {
      // The rest is read but ignored, so that the connection can be used again.
      complete ||= data.trimStart().startsWith("[DONE]");
      if (complete || KEEP_ALIVE.test(data)) continue;
      const chunks = parseChunks(data);
      if (chunks === null) {
        invalid ??= { code: "invalid-json", said: data };
        yield undefined;
      } else if ("error" in chunks) return chunks;
      else yield* chunks.values;
    }
    if (overlong) return { code: "overlong" };
    if (text === null && !isStream(begin)) return { code: "unreadable", said: begin };
    if (text === null) return invalid ?? (complete ? null : { code: "interrupted" });
  }
}

/** Without blank lines between them, events come as one: each line is one if all are JSON. */
function dataOf(data: string): readonly string[] {
  if (!data.includes("\n") || parseJson(data) !== undefined) return [data];
  const lines = data.split("\n").filter((line) => line.trim() !== "");
  const areEvents = lines.every(
    (line) => line.trim() === "[DONE]" || parseJson(line) !== undefined,
  );
  return areEvents ? lines : [data];
}

/** What may stand between objects: separators, and what belongs to events. */
const BETWEEN = /^(?:[\s,[\]]|data:|\[DONE\])*$/;

async function* readObjects(
  read: ReadText,
  begin: string,
): AsyncGenerator<unknown, ChunksEnd, undefined> {
  const found = new JsonObjects();
  let between = "";
  let count = 0;
  let isWhole = false;
  let invalid: ModelFailure | null = null;
  for (let text: string | null = begin; text !== null; text = await read()) {
    const { objects, between: more } = found.push(text);
    between = (between + more).slice(0, MAX_SAID);
    for (const json of objects) {
      const chunks = parseChunks(json);
      count += 1;
      if (chunks === null) {
        invalid ??= { code: "invalid-json", said: json.slice(0, MAX_SAID) };
        yield undefined;
      } else if ("error" in chunks) return chunks;
      else {
        isWhole = chunks.values.every((chunk) => !isPiece(chunk));
        yield* chunks.values;
      }
    }
    if (found.open > MAX_EVENT) return { code: "overlong" };
  }
  if (count === 0) return { code: "unreadable" };
  if (found.open > 0) return { code: "interrupted" };
  if (!BETWEEN.test(between)) invalid ??= { code: "invalid-json", said: between.trim() };
  const isComplete = (count === 1 && isWhole) || between.includes("[DONE]");
  return invalid ?? (isComplete ? null : { code: "interrupted" });
}

/** True for a chunk that others follow. */
function isPiece(chunk: unknown): boolean {
  return readOpenaiChunk(chunk, false).isDelta;
}

function readString(json: string): ChunksEnd {
  if (json.length > MAX_EVENT) return { code: "overlong" };
  const value = parseJson(json);
  return typeof value === "string" && value.trim() !== ""
    ? { error: value }
    : { code: "unreadable" };
}

const STREAM_FIELDS = ["data", "event", "id", "retry", ":"];

/** True for the beginning of server-sent events, also where it is cut. */
function isStream(begin: string): boolean {
  return STREAM_FIELDS.some((field) => begin.startsWith(field) || field.startsWith(begin));
}

/** Chunks or an error of the server; null where the text is not JSON. */
function parseChunks(
  json: string,
): { readonly values: readonly unknown[] } | { readonly error: unknown } | null {
  const value = parseJson(json);
  if (value === undefined) return null;
  const events: readonly unknown[] = Array.isArray(value) ? value : [value];
  const values: unknown[] = [];
  for (const event of events) {
    const error = eventError(event);
    if (error !== null) return { error };
    values.push(unwrapChunk(event));
  }
  return { values };
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
