import * as z from "zod/mini";
import { parseJson } from "../../base/text/parseJson.ts";
import { type Endpoint, redactedLine } from "../endpoint.ts";
import type { ModelFailure } from "../modelFailure.ts";
import {
  hasLengthCode,
  type LengthRefusal,
  lengthRefusal,
  type SentSize,
} from "./lengthRefusal.ts";

/** An HTTP response that is not a stream of chunks. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** The header `Retry-After`, or null. */
  readonly retryAfter: string | null;
  /** The header `Location`, or null. */
  readonly location: string | null;
}

const messageSchema = z.object({
  message: z.string(),
  /** What a provider said that OpenRouter asked. */
  metadata: z.catch(z.optional(z.object({ raw: z.string() })), undefined),
});
const problemsSchema = z.object({ detail: z.array(z.object({ msg: z.string() })) });
/**
 * Where servers put their message: OpenAI, Gemini (in a list), Ollama, vLLM, FastAPI, Mistral,
 * Cloudflare, Baidu, Spark.
 */
const bodySchema = z.union([
  z.object({ error: messageSchema }),
  z.object({ error: z.string() }),
  messageSchema,
  z.object({ detail: z.string() }),
  problemsSchema,
  z.object({ message: problemsSchema }),
  z.object({ errors: z.array(messageSchema) }),
  z.object({ error_msg: z.string() }),
  z.object({ msg: z.string() }),
]);
const codeSchema = z.object({
  code: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  status_code: z.optional(z.number()),
});

/**
 * Statuses that only say who may ask, or how often. All others come with a request that is too long:
 * 400, 413 and 422, 500 of local servers, 424 and 502 of gateways.
 */
const OTHER_STATUSES: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 429]);

/** Statuses with which servers say that they do not have a model. */
const MISSING_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 410, 422]);
/** Their codes: OpenAI and LM Studio, Groq, Mistral, Azure. */
const MISSING_CODE = /"(?:model_not_found|model_decommissioned|invalid_model|DeploymentNotFound)"/;
/** Their words: Ollama, Gemini, LiteLLM, OpenRouter, DeepSeek, LM Studio. */
const MISSING_WORDS =
  /\bmodel\b[^.]{0,80}(?:not (?:be )?found|not exist|decommissioned|deprecated|no longer|retired|not (?:available|installed|loaded))|(?:invalid|unknown|no such) model(?: (?:name|id))?(?:\W*[:='"`]| passed)|not a valid model|no endpoints found for|no models? loaded/i;

/** True where a refusal says that the server does not have the model: nothing else helps. */
export function isModelMissing({ status, body }: ErrorResponse): boolean {
  if (!MISSING_STATUSES.has(status)) return false;
  return MISSING_CODE.test(body) || (status !== 403 && MISSING_WORDS.test(wholeMessage(body)));
}

/** Why a server refused a request, which had the size `sent`. */
export function responseFailure(
  answer: ErrorResponse,
  endpoint: Endpoint,
  sent: SentSize | null = null,
): ModelFailure {
  const { status, body } = answer;
  const said = serverMessage(body, endpoint);
  const length = refusedLength(answer, sent);
  if (length) {
    const { limit } = length;
    return { code: "context-length", status, said, ...(limit !== null && { limit }) };
  }
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
export function streamedFailure(
  error: unknown,
  begun: boolean,
  endpoint: Endpoint,
  sent: SentSize | null = null,
): ModelFailure {
  const given = givenStatus(error);
  const status = given === null ? {} : { status: given };
  const answer = { ...streamedRefusal(error), status: 400 };
  const said = serverMessage(answer.body, endpoint);
  if (!begun && refusedLength(answer, sent)) return responseFailure(answer, endpoint, sent);
  if (!begun && given !== null) return responseFailure({ ...answer, ...status }, endpoint, sent);
  return { code: "stream-error", ...status, said, begun };
}

/** An error object that came in place of an answer, as the refusal with its own status, or 400. */
export function streamedRefusal(error: unknown): ErrorResponse {
  const body = JSON.stringify({ error });
  return { status: givenStatus(error) ?? 400, body, retryAfter: null, location: null };
}

/** The status in an error object; null without one. */
function givenStatus(error: unknown): number | null {
  const read = codeSchema.safeParse(error).data;
  const given = Number(read?.status_code ?? read?.code);
  return given >= 400 && given < 600 ? given : null;
}

function codeOf(answer: ErrorResponse, said: string, { apiKey }: Endpoint): ModelFailure["code"] {
  const { status, body } = answer;
  if (status < 300) return "empty";
  if (isModelMissing(answer)) return "model-not-found";
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

/** How a response refuses a request of this size as too long; null where it does not. */
function refusedLength(
  { status, body }: ErrorResponse,
  sent: SentSize | null,
): LengthRefusal | null {
  if (status < 400 || OTHER_STATUSES.has(status)) return null;
  // Codes beside the message are no sizes.
  const byMessage =
    lengthRefusal(wholeMessage(body), sent) ?? (hasLengthCode(body) ? { limit: null } : null);
  return byMessage ?? (status === 413 ? { limit: null } : null);
}

/** The message in an error body, on one line; "" if there is none worth showing. */
function serverMessage(body: string, endpoint: Endpoint): string {
  return redactedLine(wholeMessage(body), endpoint);
}

/** What a refusal says, without numbers and names that differ from one time to the next. */
export function refusalWords({ body }: ErrorResponse): string {
  return (wholeMessage(body) || body).replace(/[\w-]*\d[\w-]*/g, "");
}

function wholeMessage(body: string): string {
  const value = parseJson(body);
  if (value === undefined)
    return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(body) ? "" : body;
  const read = bodySchema.safeParse(Array.isArray(value) ? value[0] : value);
  return read.success ? messageIn(read.data) : "";
}

function messageIn(data: z.infer<typeof bodySchema>): string {
  if ("message" in data) {
    const { message } = data;
    const { metadata } = "metadata" in data ? data : {};
    return typeof message === "string" ? ofProvider({ message, metadata }) : messageIn(message);
  }
  if ("error" in data) return typeof data.error === "string" ? data.error : ofProvider(data.error);
  if ("error_msg" in data) return data.error_msg;
  if ("msg" in data) return data.msg;
  if ("errors" in data) return data.errors.map(({ message }) => message).join("; ");
  return typeof data.detail === "string"
    ? data.detail
    : data.detail.map(({ msg }) => msg).join("; ");
}

function ofProvider({ message, metadata }: z.infer<typeof messageSchema>): string {
  return metadata ? `${message}: ${wholeMessage(metadata.raw) || metadata.raw}` : message;
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
