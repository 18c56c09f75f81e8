import * as z from "zod/mini";
import { counted } from "../base/counted.ts";
import { sentence } from "../base/sentence.ts";
import { type Endpoint, withoutKey } from "./endpoint.ts";
import type { ModelError } from "./streamPart.ts";

/** An HTTP answer that is no stream of chunks. */
export interface RefusedAnswer {
  readonly status: number;
  /** The header `Retry-After`, or null. */
  readonly retryAfter: string | null;
  readonly body: string;
  /** The header `Location`, or null. */
  readonly location?: string | null;
}

const LONGEST_DETAIL = 300;

const messageSchema = z.object({ message: z.string() });
const problemsSchema = z.object({ detail: z.array(z.object({ msg: z.string() })) });
/** Where servers put their sentence: OpenAI, Gemini (in a list), Ollama, vLLM, FastAPI, Mistral for what it does not validate, Cloudflare. */
const errorBodySchema = z.union([
  z.object({ error: messageSchema }),
  z.object({ error: z.string() }),
  messageSchema,
  z.object({ detail: z.string() }),
  problemsSchema,
  z.object({ message: problemsSchema }),
  z.object({ errors: z.array(messageSchema) }),
]);
const errorCodeSchema = z.object({ code: z.optional(z.nullable(z.union([z.string(), z.number()]))), status_code: z.optional(z.number()) });
const causeSchema = z.object({
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  name: z.optional(z.string()),
  cause: z.optional(z.unknown()),
});

/** What an HTTP status other than success means, with the server's own sentence where it gave one. */
export function statusError(answer: RefusedAnswer, endpoint: Endpoint): ModelError {
  const { status } = answer;
  const { baseUrl, model } = endpoint;
  const said = serverSentence(answer.body, endpoint);
  const quote = quoted(said);
  const retryAfterMs = waitMs(answer.retryAfter);
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  const make = (kind: ModelError["kind"], message: string, retryable: boolean): ModelError => ({
    kind,
    message,
    status,
    retryable,
    ...wait,
  });

  if (status < 300) {
    const what = looksLikeHtml(answer.body) ? "a web page instead of a model's answer" : "nothing that is a model's answer";
    return make("not-found", `${baseUrl} sends ${what}. Check the setting graft.baseUrl: most servers want /v1 at its end.`, false);
  }
  if (status < 400) {
    const { location } = answer;
    const where = location && URL.canParse(location, baseUrl) ? `to ${new URL(location, baseUrl).origin}` : "elsewhere";
    const message = `${baseUrl} redirects ${where}, where Graft sends nothing by itself. If that is right, set graft.baseUrl to its address.`;
    return make("not-found", message, false);
  }
  if (status === 401 && endpoint.apiKey === null)
    return make("no-key", `${baseUrl} wants an API key, and none is set. Set one with "Graft: Set API Key".${quote}`, false);
  if (status === 401)
    return make(
      "auth",
      `${baseUrl} does not accept the API key (401). Check it and set it again with "Graft: Set API Key".${quote}`,
      false,
    );
  if (status === 403)
    return make(
      "auth",
      `${baseUrl} refuses the request (403): the key may not use the model "${model}", or access from here is blocked.${quote}`,
      false,
    );
  if (status === 404 && /model/i.test(said))
    return make("not-found", `${baseUrl} does not have the model "${model}". Choose another in the setting graft.model.${quote}`, false);
  if (status === 404 || status === 405) {
    const hint = /\/v\d/.test(baseUrl) ? "" : " Most servers want /v1 at the end of the base URL.";
    return make(
      "not-found",
      `There is no chat completions API at ${baseUrl} (${status}). Check the setting graft.baseUrl.${hint}${quote}`,
      false,
    );
  }
  if (status === 402) return make("bad-request", `The account at ${baseUrl} has no credit for this request (402).${quote}`, false);
  if (status === 413)
    return make("bad-request", `The request is too large for ${baseUrl} (413). Start a new chat or attach less.${quote}`, false);
  if (status === 429) {
    const spent = /insufficient_quota|credit balance|billing/i.test(answer.body);
    const asks = spent ? "" : waitSentence(retryAfterMs);
    return make("rate-limit", `${baseUrl} takes no more requests at the moment (429).${asks}${quote}`, !spent);
  }
  if (status === 408) return make("server", `${baseUrl} gave up waiting for the request (408). Try again.${quote}`, true);
  if (status >= 500)
    return make(
      "server",
      `${baseUrl} has a problem of its own (${status}). Try again in a moment.${waitSentence(retryAfterMs)}${quote}`,
      true,
    );
  return make("bad-request", `${baseUrl} does not accept the request (${status}).${quote}`, false);
}

/** An error object that came in place of a chunk. `begun` tells that a part of the answer had arrived. */
export function streamedError(error: unknown, begun: boolean, endpoint: Endpoint): ModelError {
  const code = errorCodeSchema.safeParse(error);
  const status = code.success ? Number(code.data.status_code ?? code.data.code) : Number.NaN;
  const body = JSON.stringify({ error });
  if (!begun && status >= 400 && status < 600) return statusError({ status, retryAfter: null, body }, endpoint);
  const said = serverSentence(body, endpoint);
  const what = begun ? `${endpoint.baseUrl} broke its answer off with an error.` : `${endpoint.baseUrl} answered with an error.`;
  return {
    kind: begun ? "interrupted" : "server",
    message: what + quoted(said),
    status: status >= 400 && status < 600 ? status : null,
    retryable: true,
  };
}

/** The model's host failed and gave the finish reason `word` for it. */
export function providerFailure(word: string, begun: boolean, endpoint: Endpoint): ModelError {
  const message = `${endpoint.baseUrl} gave the answer up (${word}). Try again.`;
  return { kind: begun ? "interrupted" : "server", message, status: null, retryable: true };
}

/** Something arrived that is no chunk of an answer. */
export function unreadableError(begun: boolean, endpoint: Endpoint): ModelError {
  if (begun) return interruptedError(endpoint);
  const message = `${endpoint.baseUrl} sent something that cannot be read as a chat completion. Try again, or check the setting graft.baseUrl.`;
  return { kind: "server", message, status: null, retryable: true };
}

/** The connection ended before the answer did. */
export function interruptedError(endpoint: Endpoint): ModelError {
  const message = `The connection to ${endpoint.baseUrl} broke in the middle of the answer. What had arrived is kept.`;
  return { kind: "interrupted", message, status: null, retryable: true };
}

/** The answer was given up, since it does not end. */
export function overlongError(begun: boolean, endpoint: Endpoint): ModelError {
  const kept = begun ? " What had arrived is kept." : "";
  const message = `The answer of ${endpoint.baseUrl} is longer than any model's, so it was given up.${kept}`;
  return { kind: begun ? "interrupted" : "server", message, status: null, retryable: false };
}

/** The server ended the answer without having sent any of it. */
export function emptyAnswerError(endpoint: Endpoint): ModelError {
  const message = `${endpoint.baseUrl} ended its answer without sending anything. Try again, or check that it can run the model "${endpoint.model}".`;
  return { kind: "server", message, status: null, retryable: true };
}

/** The caller aborted. */
export function abortedError(): ModelError {
  return { kind: "aborted", message: "The request was stopped.", status: null, retryable: true };
}

/** The request failed inside this program, before anything was sent. */
export function unsentError(thrown: unknown, endpoint: Endpoint): ModelError {
  const said = clip(withoutKey(thrown instanceof Error ? thrown.message : String(thrown), endpoint));
  return {
    kind: "bad-request",
    message: `The request to ${endpoint.baseUrl} could not be made: ${sentence(said)}`,
    status: null,
    retryable: false,
  };
}

/** Why no connection came about, or why it broke. `begun` tells that a part of the answer had arrived. */
export function networkError(thrown: unknown, begun: boolean, endpoint: Endpoint): ModelError {
  const { baseUrl } = endpoint;
  const causes = causeChain(thrown);
  const trace = causes.map(({ name, code, message }) => `${name} ${code} ${message}`).join(" | ");
  const make = (kind: ModelError["kind"], message: string, retryable: boolean): ModelError => ({ kind, message, status: null, retryable });

  if (/UND_ERR_BODY_TIMEOUT/.test(trace)) return make("idle-timeout", `${baseUrl} stopped sending in the middle of its answer.`, true);
  if (begun) return interruptedError(endpoint);
  if (/ECONNREFUSED|ERR_CONNECTION_REFUSED/.test(trace))
    return make("network", `Nothing answers at ${baseUrl}. Is the server running, and is the setting graft.baseUrl right?`, true);
  if (/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/.test(trace)) {
    return make(
      "network",
      `The name ${new URL(baseUrl).hostname} cannot be found. Check the setting graft.baseUrl and the network connection.`,
      true,
    );
  }
  const tls = /\b(?:ERR_TLS_\w+|ERR_SSL_\w+|ERR_CERT_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|EPROTO)\b/.exec(trace);
  if (tls) {
    return make(
      "network",
      `No secure connection to ${baseUrl} is possible (${tls[0]}). Its certificate is not trusted here, or it speaks plain http.`,
      false,
    );
  }
  if (/ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_CONNECTION_TIMED_OUT|ERR_TIMED_OUT|APIConnectionTimeoutError/.test(trace)) {
    return make("connect-timeout", `${baseUrl} could not be reached in time. Check the address and the network connection.`, true);
  }
  if (/UND_ERR_HEADERS_TIMEOUT/.test(trace))
    return make("first-token-timeout", `${baseUrl} took the request and did not begin to answer in time.`, true);
  if (/EHOSTUNREACH|ENETUNREACH|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE/.test(trace)) {
    return make("network", `There is no network route to ${baseUrl}. Check the network connection.`, true);
  }
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE|terminated/.test(trace)) {
    return make("network", `${baseUrl} closed the connection before it answered. Try again.`, true);
  }
  const said = clip(withoutKey(causes.at(-1)?.message ?? "", endpoint));
  const detail = said === "" ? "" : ` (${said})`;
  return make(
    "network",
    `${baseUrl} could not be reached${detail}. In a browser, the server must also allow requests from other sites (CORS).`,
    true,
  );
}

/** The end of a time limit of `ms` milliseconds. */
export function timeoutError(kind: "connect-timeout" | "first-token-timeout" | "idle-timeout", ms: number, endpoint: Endpoint): ModelError {
  const { baseUrl } = endpoint;
  const time = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
  const messages = {
    "connect-timeout": `${baseUrl} did not answer within ${time}. Is the server running, and is the setting graft.baseUrl right?`,
    "first-token-timeout": `${baseUrl} took the request and sent nothing of an answer for ${time}. A large model may still be loading: try again.`,
    "idle-timeout": `${baseUrl} stopped sending in the middle of its answer: nothing came for ${time}. What had arrived is kept.`,
  };
  return { kind, message: messages[kind], status: null, retryable: true };
}

/** The sentence in an error body, on one line, without the key; empty where there is none worth showing. */
export function serverSentence(body: string, endpoint: Endpoint): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return looksLikeHtml(body) ? "" : clip(withoutKey(body, endpoint));
  }
  const read = errorBodySchema.safeParse(Array.isArray(value) ? value[0] : value);
  if (!read.success) return "";
  return clip(withoutKey(sentenceIn(read.data), endpoint));
}

function sentenceIn(data: z.infer<typeof errorBodySchema>): string {
  if ("message" in data) return typeof data.message === "string" ? data.message : sentenceIn(data.message);
  if ("error" in data) return typeof data.error === "string" ? data.error : data.error.message;
  if ("errors" in data) return data.errors.map(({ message }) => message).join("; ");
  return typeof data.detail === "string" ? data.detail : data.detail.map(({ msg }) => msg).join("; ");
}

/** The sentence that a server gave, to stand behind one of ours; empty where it gave none. */
export function quoted(said: string): string {
  return said === "" ? "" : ` It says: ${sentence(said)}`;
}

/** True for a web page. */
function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text);
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_DETAIL ? `${line.slice(0, LONGEST_DETAIL)}…` : line;
}

/** `Retry-After` in milliseconds: seconds, or a date (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after). */
function waitMs(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const ms = /^\d+(?:\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : null;
}

function waitSentence(ms: number | null): string {
  if (ms === null) return "";
  const seconds = ms / 1000;
  return ` It asks to wait ${seconds < 120 ? counted(Math.ceil(seconds), "second") : counted(Math.ceil(seconds / 60), "minute")}.`;
}

function causeChain(thrown: unknown): { name: string; code: string; message: string }[] {
  const chain: { name: string; code: string; message: string }[] = [];
  for (let current = thrown; chain.length < 8; ) {
    const read = causeSchema.safeParse(current);
    if (!read.success) break;
    const constructorName = current instanceof Error ? current.constructor.name : "";
    chain.push({ name: constructorName || (read.data.name ?? ""), code: read.data.code ?? "", message: read.data.message ?? "" });
    current = read.data.cause;
  }
  return chain;
}
