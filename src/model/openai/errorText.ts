import { parseJson } from "../../base/text/parseJson.ts";

/**
 * Fields in which servers say what went wrong, the closest first, without case and underscores:
 * OpenAI, FastAPI, Cloudflare, Baidu, MiniMax, OAuth, Apigee, problem details (RFC 9457).
 */
const FIELDS = [
  ...["error", "errors", "fault", "baseresp", "message", "msg", "detail", "errormsg"],
  ...["errormessage", "statusmsg", "errordescription", "faultstring", "description", "title"],
  ...["reason", "status"],
] as const;
/** Those that make an event without an answer an error. */
const EVENT_FIELDS: ReadonlySet<string> = new Set([
  ...["error", "errors", "fault", "message", "msg", "detail", "errormsg", "errormessage"],
]);
/** Fields whose values name a kind of failure. */
const CODES =
  /^(?:code|type|status|reason|reasons|errorcode|errcode|errortype|statuscode|exceptiontype)$/;
/** How deep a body is read. */
const MAX_DEPTH = 5;

type Fields = Readonly<Record<string, unknown>>;

/** What a body says went wrong; "" where it says nothing that a person can read. */
export function errorText(body: string): string {
  const value = parseJson(body);
  if (value === undefined)
    return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(body) ? "" : body;
  return textOf(value, MAX_DEPTH);
}

/** The codes and types in a body, a line each. */
export function errorCodes(body: string): string {
  return codesOf(parseJson(body), MAX_DEPTH).join("\n");
}

/** True for an event without an answer that says in one of its own fields what went wrong. */
export function isErrorEvent(event: unknown): boolean {
  if (typeof event === "string") return event.trim() !== "";
  const fields = fieldsOf(event);
  if (fields === null || fields.choices || fields.code === 0 || fields.code === 200) return false;
  return named(fields).some(
    ([name, value]) => EVENT_FIELDS.has(name) && textOf(value, MAX_DEPTH - 1) !== "",
  );
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === "string") return unwrapped(value, depth);
  if (depth === 0) return "";
  if (Array.isArray(value))
    return distinct(
      value.map((each) => textOf(each, depth - 1)),
      "; ",
    );
  const fields = fieldsOf(value);
  if (fields === null) return "";
  const own = ownText(fields, depth);
  const { raw } = fieldsOf(fields.metadata) ?? {};
  // What a provider said that OpenRouter asked.
  return typeof raw === "string" ? distinct([own, textOf(raw, depth - 1)], ": ") : own;
}

/** A list or an object says more than a text, and a sentence more than a word. */
function ownText(fields: Fields, depth: number): string {
  const all = named(fields);
  const nested = all.filter(([, value]) => typeof value === "object");
  for (const [, value] of nested) {
    const text = textOf(value, depth - 1);
    if (text !== "") return withPlace(text, fields);
  }
  const texts = all.map(([, value]) => (typeof value === "string" ? textOf(value, depth) : ""));
  const text = texts.find((each) => /\S\s+\S|[^\x20-\x7e]/.test(each)) ?? texts.find(Boolean) ?? "";
  return withPlace(text, fields);
}

/** A validator's message with the field it is about, such as `body.stream_options`. */
function withPlace(text: string, { loc }: Fields): string {
  const place = (Array.isArray(loc) ? loc : []).filter((name) => name !== "body").join(".");
  return place === "" || text === "" ? text : `${place}: ${text}`;
}

/** A text that is JSON itself, as gateways pass it on. */
function unwrapped(text: string, depth: number): string {
  if (depth === 0 || !/^\s*[[{]/.test(text)) return text;
  const value = parseJson(text);
  return (value === undefined ? "" : textOf(value, depth - 1)) || text;
}

function codesOf(value: unknown, depth: number): readonly string[] {
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const isCode = CODES.test(plainName(name));
    const inner = Array.isArray(each) ? each : [each];
    return inner.flatMap((one: unknown) =>
      isCode && (typeof one === "string" || typeof one === "number")
        ? [String(one)]
        : codesOf(one, depth - 1),
    );
  });
}

/** The fields that say what went wrong, in their order. */
function named(fields: Fields): readonly (readonly [name: string, value: unknown])[] {
  const all = Object.entries(fields).map(([name, value]) => [plainName(name), value] as const);
  return FIELDS.flatMap((name) => all.filter(([each]) => each === name));
}

function plainName(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function distinct(texts: readonly string[], between: string): string {
  return [...new Set(texts.filter((text) => text !== ""))].join(between);
}
