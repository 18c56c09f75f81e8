import * as z from "zod/mini";
import { firstPart } from "../../base/text/clip.ts";
import { parseJson } from "../../base/text/parseJson.ts";

/** JSON-RPC's code for a fault inside the other side. */
const INTERNAL_ERROR = -32_603;

const messageSchema = z.looseObject({ id: z.union([z.string(), z.number()]) });
const errorSchema = z.looseObject({
  code: z.catch(z.int(), INTERNAL_ERROR),
  message: z.catch(z.string(), ""),
});

/**
 * An answer of a server as the SDK reads it, which drops what it cannot read and waits for another
 * one: null is absent, what does not belong there is left out, and an answer that cannot be used is
 * an error that says so. Other messages stay as they are.
 */
export function readableMessage(value: unknown): unknown {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success || typeof parsed.data.method === "string") return value;
  const { id, result, error } = parsed.data;
  const answer = { jsonrpc: "2.0", id };
  if (error !== undefined && error !== null) return { ...answer, error: readableError(error) };
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    const message = `The server answered with ${result === undefined ? "no result" : excerpt(result)}.`;
    return { ...answer, error: { code: INTERNAL_ERROR, message } };
  }
  // How a connection begins is read by the SDK alone.
  const begins = "protocolVersion" in result;
  return { ...answer, result: begins ? withoutNulls(result, 3) : withoutNulls(result, 1) };
}

/** The same for JSON text, which stays as it is where it is none. */
export function readableJson(text: string): string {
  const value = parseJson(text);
  if (value === undefined) return text;
  const readable: unknown = Array.isArray(value)
    ? value.map(readableMessage)
    : readableMessage(value);
  return readable === value ? text : JSON.stringify(readable);
}

/** The same for what a server answers over HTTP, in one piece or in events. */
export const readableFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || !response.body) return response;
  const { status, statusText, headers } = response;
  if (type.includes("text/event-stream")) {
    const lines = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(readableEvents())
      .pipeThrough(new TextEncoderStream());
    return new Response(lines, { status, statusText, headers });
  }
  if (!type.includes("json")) return response;
  const kept = new Headers(headers);
  kept.delete("content-length");
  kept.delete("content-encoding");
  const text = readableJson(await response.text());
  return new Response(text, { status, statusText, headers: kept });
};

function readableEvents(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(`${readableLine(line)}\n`);
    },
    flush(controller) {
      if (rest !== "") controller.enqueue(readableLine(rest));
    },
  });
}

function readableLine(line: string): string {
  const [, head, json] = /^(data: ?)(\{.*\})\r?$/.exec(line) ?? [];
  return head === undefined || json === undefined ? line : head + readableJson(json);
}

function readableError(error: unknown): unknown {
  const parsed = errorSchema.safeParse(error);
  return parsed.success && parsed.data.message !== ""
    ? { ...withoutNulls(parsed.data, 1) }
    : { code: INTERNAL_ERROR, message: excerpt(error) };
}

/** An object without the fields that are null, `depth` objects deep. */
function withoutNulls(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (each === null) return [];
      const isObject = typeof each === "object" && !Array.isArray(each);
      return [[name, isObject && depth > 1 ? withoutNulls(each, depth - 1) : each]];
    }),
  );
}

/** The most of an unusable answer that is shown, in UTF-16 units. */
const MAX_EXCERPT = 200;

function excerpt(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return firstPart(text, MAX_EXCERPT);
}
