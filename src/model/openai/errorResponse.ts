import * as z from "zod/mini";
import { type Endpoint, redactedLine } from "../endpoint.ts";
import type { ModelFailure } from "../modelFailure.ts";
import { errorCodes, errorText } from "./errorText.ts";
import {
  hasLengthCode,
  type LengthRefusal,
  lengthRefusal,
  type SentSize,
} from "./lengthRefusal.ts";
import { refusalKind, saidWait } from "./refusalKind.ts";

/** An HTTP response that is not a stream of chunks. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  /** The header `Retry-After`, or null. */
  readonly retryAfter: string | null;
  /** The header `Location`, or null. */
  readonly location: string | null;
}

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
/** Their codes, of which each names a model: OpenAI and LM Studio, Groq, Mistral, Azure, Copilot. */
const MISSING_CODE =
  /^\w*(?:model|deployment)\w*[._]?not_?(?:found|available|supported)$|^model_decommissioned$|^(?:invalid|unknown)_model$|^\w*model\.notfound$/im;
/** Their words: Ollama, Gemini, LiteLLM, OpenRouter, DeepSeek, LM Studio, llama-swap, Bedrock, Zhipu. */
const MISSING_WORDS =
  /\bmodel\b[^.]{0,80}(?:not (?:be )?found|not exist|decommissioned|deprecated|no longer|retired|not (?:available|installed|loaded))|(?:invalid|unknown|no such) model(?: (?:name|id|identifier))?(?:\W*[:='"`]| passed)|not a valid model|no endpoints found for|no models? loaded|\b(?:not found|not find|unable to access) (?:the |real )?model|\bmodel (?:name|id|identifier) is (?:invalid|unknown)|\brequested model is not\b|模型不存在/i;
/** What OpenRouter finds no endpoint for beside the model. */
const OF_POLICY = /data policy|guardrail/i;

/** True where a refusal says that the server does not have the model: nothing else helps. */
export function isModelMissing({ status, body }: ErrorResponse): boolean {
  if (!MISSING_STATUSES.has(status)) return false;
  const said = errorText(body);
  if (OF_POLICY.test(said)) return false;
  return MISSING_CODE.test(errorCodes(body)) || (status !== 403 && MISSING_WORDS.test(said));
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
  const code = codeOf(answer, said, endpoint);
  const passes = code === "rate-limited" || code === "server-error";
  const retryAfterMs = waitMs(answer.retryAfter) ?? (passes ? saidWait(body) : null);
  return {
    code,
    status,
    said,
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
  if (begun) return { code: "stream-error", ...status, said, begun };
  if (refusedLength(answer, sent)) return responseFailure(answer, endpoint, sent);
  if (given !== null) return responseFailure({ ...answer, ...status }, endpoint, sent);
  if (isModelMissing(answer)) return { code: "model-not-found", said };
  const kind = refusalKind(answer.body);
  const wait = kind === "rate-limited" ? saidWait(answer.body) : null;
  return {
    code: kind === null ? "stream-error" : ofKey(kind, endpoint),
    said,
    begun,
    ...(wait !== null && { retryAfterMs: wait }),
  };
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

/** Statuses of a refusal whose codes or words say what it is about. */
const OPEN_STATUSES: ReadonlySet<number> = new Set([400, 403, 406, 409, 412, 422, 451]);

function codeOf(answer: ErrorResponse, said: string, endpoint: Endpoint): ModelFailure["code"] {
  const { status, body } = answer;
  if (status < 300) return "empty";
  if (isModelMissing(answer)) return "model-not-found";
  if (status === 401) return ofKey("key-rejected", endpoint);
  if (status === 402) return "no-credit";
  if (status === 407) return "proxy-login";
  const kind = refusalKind(body);
  if (status === 429)
    return kind === "no-credit" && saidWait(body) === null ? "quota-spent" : "rate-limited";
  if (kind !== null && kind !== "server-error" && OPEN_STATUSES.has(status))
    return ofKey(kind, endpoint);
  if (status === 403) return "forbidden";
  if (status === 404 && OF_POLICY.test(said)) return "rejected";
  if (status === 404 && /model/i.test(said)) return "model-not-found";
  if (status === 404 || status === 405) return "api-not-found";
  return status === 408 || status >= 500 ? "server-error" : "rejected";
}

/** Where none was sent, a key that was rejected is one that is missing. */
function ofKey<Code extends ModelFailure["code"]>(
  code: Code,
  { apiKey }: Endpoint,
): Code | "no-key" {
  return code === "key-rejected" && apiKey === null ? "no-key" : code;
}

/** How a response refuses a request of this size as too long; null where it does not. */
function refusedLength(
  { status, body }: ErrorResponse,
  sent: SentSize | null,
): LengthRefusal | null {
  if (status < 400 || OTHER_STATUSES.has(status)) return null;
  // Codes beside the message are no sizes.
  const byMessage =
    lengthRefusal(errorText(body), sent) ?? (hasLengthCode(body) ? { limit: null } : null);
  return byMessage ?? (status === 413 ? { limit: null } : null);
}

/** The message in an error body, else its codes, on one line; "" if there is none worth showing. */
function serverMessage(body: string, endpoint: Endpoint): string {
  return redactedLine(errorText(body) || errorCodes(body).replaceAll("\n", ", "), endpoint);
}

/** What a refusal says, without numbers and names that differ from one time to the next. */
export function refusalWords({ body }: ErrorResponse): string {
  return (errorText(body) || body).replace(/[\w-]*\d[\w-]*/g, "");
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
