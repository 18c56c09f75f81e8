import { err, ok, type Result } from "../../base/result.ts";
import type { RequestTimeouts } from "../requestTimeouts.ts";
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
const MAX_REDIRECTS = 3;

/** Sends a request within its time limits; the error is how the server refused it. Throws where the connection fails. */
export async function sendRequest(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  watch: RequestTimeouts,
): Promise<Result<OpenResponse, ErrorResponse>> {
  watch.connecting();
  const response = await watch.wait(followRedirects(send, url, { ...init, method: "POST", signal: watch.signal }));
  watch.connected();
  if (!response.ok || !response.body) return err(await watch.wait(readRefusal(response, watch.signal)));
  return ok({ body: response.body, type: response.headers.get("content-type") ?? "" });
}

/** What a server refused a request with. */
export async function readRefusal({ type, status, headers, body }: Response, signal: AbortSignal): Promise<ErrorResponse> {
  return {
    // A browser hides where a redirect leads.
    status: type === "opaqueredirect" ? 307 : status,
    body: body ? await readAll(textReader(body, signal), MAX_REFUSAL) : "",
    retryAfter: headers.get("retry-after"),
    location: headers.get("location"),
  };
}

/** Follows redirects on the same server only, so the request and its key reach no other. */
async function followRedirects(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  let current = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(current.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if ((response.status !== 307 && response.status !== 308) || location === null || redirects === MAX_REDIRECTS) return response;
    const next = URL.canParse(location, current.href) ? new URL(location, current.href) : null;
    if (next?.origin !== current.origin) return response;
    await response.body?.cancel();
    current = next;
  }
}
