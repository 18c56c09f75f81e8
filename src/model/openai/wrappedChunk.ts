import { parseJson } from "../../base/text/parseJson.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How deep a chunk may lie in an event. */
const MAX_DEPTH = 3;
/** Fields in which gateways put what a server answered. */
const WRAPPERS = ["data", "result", "response", "output", "body"] as const;

/** Fields with what a model says. */
const TEXTS = ["response", "result", "text"] as const;

/**
 * The chunk that an event is or holds: gateways put it into a field of their own, such as `data`, also
 * as JSON text. A text that stands there alone, and a message without `choices`, are read as a
 * chunk: Cloudflare, Baidu, DashScope, and Ollama's own APIs
 * behind a proxy (https://github.com/SillyTavern/SillyTavern/issues/5128).
 */
export function unwrapChunk(event: unknown): unknown {
  const fields = foreignFields(event);
  if (fields === null) return event;
  const inner = held(fields, MAX_DEPTH);
  if (inner) return fields.usage && !inner.usage ? { ...inner, usage: fields.usage } : inner;
  return saidIn(fields) ?? event;
}

/** The fields of what an event wraps: in it an error may stand. Null without. */
export function wrappedFields(event: unknown): Fields | null {
  const fields = foreignFields(event);
  if (fields === null) return null;
  for (const name of WRAPPERS) {
    const inner = fieldsOf(fields[name]);
    if (inner) return inner;
  }
  return null;
}

/** The fields of an event that is neither a chunk nor one of the Responses API. */
function foreignFields(event: unknown): Fields | null {
  if (typeof event !== "object" || event === null || "choices" in event) return null;
  return "type" in event && typeof event.type === "string" ? null : fieldsOf(event);
}

/** The nearest fields that have choices. */
function held(fields: Fields, depth: number): Fields | null {
  if (Array.isArray(fields.choices)) return fields;
  if (depth === 0) return null;
  for (const value of Object.values(fields)) {
    const inner = fieldsOf(value);
    const found = inner && held(inner, depth - 1);
    if (found) return found;
  }
  return null;
}

/** A text, or a message, without choices, as a chunk; a wrapper may hold it. */
function saidIn(fields: Fields): unknown {
  const { message, done, is_end, done_reason, finish_reason, usage } = fields;
  for (const name of WRAPPERS) {
    const inner = fieldsOf(fields[name]);
    if (inner && TEXTS.some((each) => typeof inner[each] === "string"))
      return saidIn({ usage, ...inner });
  }
  const text = TEXTS.map((name) => fields[name]).find((each) => typeof each === "string");
  const told = fieldsOf(message) ?? (text === undefined ? null : { content: text });
  if (told === null || !("content" in told)) return null;
  const said = done === undefined && is_end === undefined ? { message: told } : { delta: told };
  const isEnd = done === true || is_end === true;
  const reason = [done_reason, finish_reason].find((each) => typeof each === "string" && each);
  const finish = isEnd ? (reason ?? "stop") : null;
  return {
    choices: [{ index: 0, ...said, finish_reason: finish }],
    usage: usage ?? counts(fields),
  };
}

/** Ollama's own counts. */
function counts({ prompt_eval_count, eval_count }: Fields): Fields | undefined {
  return prompt_eval_count === undefined && eval_count === undefined
    ? undefined
    : { prompt_tokens: prompt_eval_count, completion_tokens: eval_count };
}

/** The fields of an object, also of one in JSON text; null of anything else. */
function fieldsOf(value: unknown): Fields | null {
  const read = typeof value === "string" && /^\s*\{/.test(value) ? parseJson(value) : value;
  return typeof read === "object" && read !== null && !Array.isArray(read) ? { ...read } : null;
}
