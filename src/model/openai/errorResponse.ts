import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import { type Endpoint, redactedLine } from "../endpoint.ts";
import type { ModelFailure } from "../modelFailure.ts";

/** An HTTP response that is not a stream of chunks. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** The header `Retry-After`, or null. */
  readonly retryAfter: string | null;
  /** The header `Location`, or null. */
  readonly location: string | null;
}

const messageSchema = z.object({ message: z.string() });
const problemsSchema = z.object({ detail: z.array(z.object({ msg: z.string() })) });
/**
 * Where servers put their message: OpenAI, Gemini (in a list), Ollama, vLLM, FastAPI, Mistral,
 * Cloudflare.
 */
const bodySchema = z.union([
  z.object({ error: messageSchema }),
  z.object({ error: z.string() }),
  messageSchema,
  z.object({ detail: z.string() }),
  problemsSchema,
  z.object({ message: problemsSchema }),
  z.object({ errors: z.array(messageSchema) }),
]);
const codeSchema = z.object({
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  status_code: z.optional(z.number()),
});

/** Statuses for a request that is too long; some local servers use 500. */
const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/**
 * How servers say it: OpenAI, OpenRouter and vLLM; Anthropic; Gemini; llama.cpp, LM Studio and
 * Ollama; Mistral; SGLang; Copilot.
 */
const TOO_LONG: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length/i,
  /(?:maximum|max|model'?s) (?:allowed )?context (?:length|window|size)/i,
  /(?:exceed\w*|larger than|longer than|overflow\w*|too (?:large|long|big) for|outside)\b[^.]{0,60}\bcontext(?: (?:length|window|size|limit))?\b/i,
  /\b(?:prompt|input|request|conversation)(?: \w+){0,2} (?:is|are|was) too (?:long|large)\b/i,
  /\bcontext (?:length |window )?overflow/i,
  /token count\b[^.]{0,60}\bexceeds|exceeds? (?:the )?token limit/i,
  /(?:reduce|shorten) (?:the )?(?:length of )?(?:your |the )?(?:messages|prompt|input)/i,
  /too many (?:input |prompt )?tokens(?! per)/i,
];

/** Why a server refused a request. */
export function responseFailure(answer: ErrorResponse, endpoint: Endpoint): ModelFailure {
  const { status, body } = answer;
  const said = serverMessage(body, endpoint);
  if (refusesLength(answer)) return { code: "context-length", status, said };
  if (status >= 300 && status < 400) {
    const target =
      answer.location === null || !URL.canParse(answer.location, endpoint.baseUrl)
        ? null
        : new URL(answer.location, endpoint.baseUrl);
    return target
      ? { code: "redirected", status, detail: target.origin }
      : { code: "redirected", status };
  }
  const retryAfterMs = waitMs(answer.retryAfter);
  const code = codeOf(answer, said, endpoint);
  return {
    code,
    status,
    said,
    ...(code === "proxy-refused" && { detail: String(status) }),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}

/** Why a stream ended with an error object. `begun` is true when part of the answer had arrived. */
export function streamedFailure(error: unknown, begun: boolean, endpoint: Endpoint): ModelFailure {
  const read = codeSchema.safeParse(error).data;
  const given = Number(read?.status_code ?? read?.code);
  const status = given >= 400 && given < 600 ? { status: given } : {};
  const answer = { status: 400, body: JSON.stringify({ error }), retryAfter: null, location: null };
  if (!begun && refusesLength(answer)) return responseFailure(answer, endpoint);
  if (!begun && status.status) return responseFailure({ ...answer, ...status }, endpoint);
  return { code: "stream-error", ...status, said: serverMessage(answer.body, endpoint), begun };
}

function codeOf(
  { status, body }: ErrorResponse,
  said: string,
  { apiKey }: Endpoint,
): ModelFailure["code"] {
  if (status < 300) return "empty";
  if (status === 401) return apiKey === null ? "no-key" : "key-rejected";
  if (status === 402) return "no-credit";
  if (status === 403) return "forbidden";
  if (status === 407) return "proxy-refused";
  // Azure's and OpenAI's code for a prompt that their filter stopped.
  if (status === 400 && /"(?:content_filter|content_policy_violation)"/.test(body))
    return "content-filter";
  if (status === 404 && /model/i.test(said)) return "model-not-found";
  if (status === 404 || status === 405) return "api-not-found";
  if (status === 429)
    return /insufficient_quota|credit balance|billing/i.test(body) ? "quota-spent" : "rate-limited";
  return status === 408 || status >= 500 ? "server-error" : "rejected";
}

function refusesLength({ status, body }: ErrorResponse): boolean {
  return status === 413 || (TOO_LONG_STATUSES.has(status) && saysTooLong(body));
}

/** True for the words by which servers refuse a request that is too long. */
export function saysTooLong(text: string): boolean {
  return TOO_LONG.some((pattern) => pattern.test(text));
}

/** The message in an error body; "" if there is none worth showing. */
function serverMessage(body: string, endpoint: Endpoint): string {
  const value = parseJson(body);
  if (value === undefined)
    return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(body)
      ? ""
      : redactedLine(body, endpoint);
  const read = bodySchema.safeParse(Array.isArray(value) ? value[0] : value);
  return read.success ? redactedLine(messageIn(read.data), endpoint) : "";
}

function messageIn(data: z.infer<typeof bodySchema>): string {
  if ("message" in data)
    return typeof data.message === "string" ? data.message : messageIn(data.message);
  if ("error" in data) return typeof data.error === "string" ? data.error : data.error.message;
  if ("errors" in data) return data.errors.map(({ message }) => message).join("; ");
  return typeof data.detail === "string"
    ? data.detail
    : data.detail.map(({ msg }) => msg).join("; ");
}

/**
 * `Retry-After` in milliseconds: seconds, or a date
 * (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after).
 */
function waitMs(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const ms = /^\d+(?:\.\d+)?$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : null;
}
