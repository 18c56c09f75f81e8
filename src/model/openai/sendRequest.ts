import { err, ok, type Result } from "../../base/result.ts";
import type { Endpoint } from "../endpoint.ts";
import type { RequestTimeouts } from "../requestTimeouts.ts";
import type { ApiRequest } from "./askServer.ts";
import type { ErrorResponse } from "./errorResponse.ts";
import { readAll, textReader } from "./readChunks.ts";

/** A response that is not a refusal. */
export interface OpenResponse {
  readonly body: ReadableStream<Uint8Array>;
  /** Its content type; "" without one. */
  readonly type: string;
}

/** How much of a refusal is read, in UTF-16 units. */
const MAX_REFUSAL = 100_000;

/**
 * Sends a request within its time limits; the error is how the server refused it. Throws where the
 * connection fails.
 */
export async function sendRequest(
  endpoint: Endpoint,
  send: typeof fetch,
  watch: RequestTimeouts,
  request: ApiRequest,
): Promise<Result<OpenResponse, ErrorResponse>> {
  const { askServer } = await watch.wait(import("./askServer.ts"));
  watch.connecting();
  const response = await watch.wait(askServer(endpoint, send, watch.signal, request));
  watch.connected();
  if (!response.ok || !response.body)
    return err(await watch.wait(readRefusal(response, watch.signal)));
  return ok({ body: response.body, type: response.headers.get("content-type") ?? "" });
}

/** What a server refused a request with. */
export async function readRefusal(
  { type, status, headers, body }: Response,
  signal: AbortSignal,
): Promise<ErrorResponse> {
  return {
    // A browser hides where a redirect leads.
    status: type === "opaqueredirect" ? 307 : status,
    body: body ? await readAll(textReader(body, signal), MAX_REFUSAL) : "",
    retryAfter: secondsOf(headers.get("retry-after-ms")) ?? headers.get("retry-after"),
    location: headers.get("location"),
  };
}

/** The header in which OpenAI and Azure say the same in milliseconds, as `Retry-After` has it. */
function secondsOf(milliseconds: string | null): string | null {
  return milliseconds !== null && /^\d+(?:\.\d+)?$/.test(milliseconds)
    ? String(Number(milliseconds) / 1000)
    : null;
}
