import { abortable } from "../base/abortable.ts";
import type { RefusedAnswer } from "./modelErrors.ts";

/** What became of one HTTP request, beyond what a client library tells. */
export interface Exchange {
  /** Set when the answer was not a success, or was no stream at all: a web page. */
  refused: RefusedAnswer | null;
  /** What the connection failed with. */
  failure: unknown;
  /** True once the end marker `data: [DONE]` came, or a whole completion. */
  endMarked: boolean;
  /** True when the answer was given up because it is longer than any answer is. */
  overlong: boolean;
}

/** Called as the exchange goes on. */
export interface ExchangeEvents {
  /** The server answered: status and headers are here. */
  headers(): void;
  /** Bytes of the body arrived; keep-alive comments count. */
  bytes(): void;
}

/** The most that is read of an answer, of one line in it, and of an answer that is a refusal, in bytes. */
const MAX_ANSWER = 256_000_000;
const MAX_LINE = 4_000_000;
const MAX_REFUSAL = 100_000;
const MAX_REDIRECTS = 3;

const END_MARK = /[\r\n]data: *\[DONE\]/;
/** Enough of the end of a chunk to hold an end marker that is cut. */
const TAIL_LENGTH = 16;

/**
 * Wraps `send` so that `exchange` tells what really happened, a whole completion in JSON reads like a stream of one chunk, and a body
 * that ends without a blank line still gives its last event. A redirection is followed on the same server only: what is asked, and a
 * key, go nowhere else.
 */
export function observedFetch(send: typeof fetch, events: ExchangeEvents): { fetch: typeof fetch; exchange: Exchange } {
  let tail = "\n";
  const decoder = new TextDecoder("latin1");
  const exchange: Exchange = {
    refused: null,
    failure: null,
    endMarked: false,
    overlong: false,
  };
  let length = 0;
  let lineLength = 0;
  const note = (chunk: Uint8Array) => {
    events.bytes();
    const lineEnd = Math.max(chunk.lastIndexOf(0x0a), chunk.lastIndexOf(0x0d));
    length += chunk.length;
    lineLength = lineEnd < 0 ? lineLength + chunk.length : chunk.length - lineEnd - 1;
    exchange.overlong ||= length > MAX_ANSWER || lineLength > MAX_LINE;
    if (exchange.overlong) throw new Error("The answer is too long.");
    const text = tail + decoder.decode(chunk);
    exchange.endMarked ||= END_MARK.test(text);
    tail = text.slice(-TAIL_LENGTH);
  };
  const ask = async (input: Parameters<typeof fetch>[0], init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const response = await sendWithin(send, input, init);
    events.headers();
    // A browser does not tell where it would be redirected to.
    const status = response.type === "opaqueredirect" ? 307 : response.status;
    const retryAfter = response.headers.get("retry-after");
    const location = response.headers.get("location");
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
    if (!response.ok || !reader) {
      const body = reader ? await restAsText({ bytes: new Uint8Array(), done: false }, reader, MAX_REFUSAL) : "";
      exchange.refused = { status, retryAfter, body, location };
      return new Response("", { status: response.ok ? 502 : status });
    }
    // A stand-in for the global `fetch` may not end its body by itself.
    signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
    const start = await firstBytes(reader);
    const { first } = start;
    if (first === "<") {
      exchange.refused = { status, retryAfter, body: await restAsText(start, reader, MAX_REFUSAL), location };
      return new Response("", { status: 502 });
    }
    if (first === "{" || first === "[") {
      // Pretty-printed JSON must not look like several lines of an event.
      const json = (await restAsText(start, reader, MAX_LINE)).replace(/[\r\n]+/g, " ");
      exchange.overlong = json.length > MAX_LINE;
      exchange.endMarked = true;
      return new Response(`data: ${json}\n\ndata: [DONE]\n\n`, { status });
    }
    return new Response(eventStream(start, reader, note), { status });
  };
  const observed: typeof fetch = async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal;
    try {
      // Also ends the wait for a stand-in that does not heed the signal.
      return await abortable(ask(input, init, signal), signal);
    } catch (error) {
      exchange.failure = error;
      throw error;
    }
  };
  return { fetch: observed, exchange };
}

async function sendWithin(send: typeof fetch, input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  let url = new URL(input instanceof Request ? input.url : String(input));
  for (let redirects = 0; ; redirects++) {
    const response = await send(url.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if ((response.status !== 307 && response.status !== 308) || location === null || redirects === MAX_REDIRECTS) return response;
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : null;
    if (next?.origin !== url.origin) return response;
    await response.body?.cancel();
    url = next;
  }
}

interface Start {
  /** Without a byte order mark. */
  readonly bytes: Uint8Array;
  /** The first character that is no white space; "" where there is none. */
  readonly first: string;
  readonly done: boolean;
}

/** Reads until something else than white space has come. */
async function firstBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Start> {
  const decoder = new TextDecoder();
  let bytes = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    const first = decoder.decode(value, { stream: true }).trimStart().charAt(0);
    if (value) bytes = joined(bytes, value);
    if (!done && first === "") {
      if (bytes.length > MAX_REFUSAL) bytes = new Uint8Array();
      continue;
    }
    const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return { bytes: marked ? bytes.subarray(3) : bytes, first, done };
  }
}

/** A text that is longer than `limit` is cut off some way behind it. */
async function restAsText(
  start: Pick<Start, "bytes" | "done">,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = decoder.decode(start.bytes, { stream: true });
  for (let more = start.done ? null : await reader.read(); more && !more.done; more = await reader.read()) {
    text += decoder.decode(more.value, { stream: true });
    if (text.length <= limit) continue;
    await reader.cancel();
    return text;
  }
  return text + decoder.decode();
}

function eventStream(start: Start, reader: ReadableStreamDefaultReader<Uint8Array>, note: (chunk: Uint8Array) => void) {
  let pending: Uint8Array | null = start.bytes;
  const read = async () => {
    const value = pending;
    pending = null;
    if (value !== null && value.length > 0) return value;
    if (start.done) return null;
    const { done, value: more } = await reader.read();
    return done ? null : more;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await read();
        if (chunk !== null) {
          note(chunk);
          controller.enqueue(chunk);
          return;
        }
        // The event without data brings along what lines came after the last one with.
        controller.enqueue(new TextEncoder().encode("\n\ndata:\n\n"));
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(left.length + right.length);
  bytes.set(left);
  bytes.set(right, left.length);
  return bytes;
}
