import { OpenAI } from "openai";
import { abortable } from "../../base/abortable.ts";
import type { Endpoint } from "../endpoint.ts";

/** One request, such as `api.models.list()`. */
export type ApiRequest = (api: OpenAI) => { asResponse(): Promise<Response> };

const MAX_REDIRECTS = 3;
/** The client refuses to work without a key, which {@link NOT_SENT} takes away. */
const NO_KEY = "none";
/** What the client reads from the environment unless it is given; not all of its versions take it. */
const NOT_READ = {
  adminAPIKey: null,
  organization: null,
  project: null,
  webhookSecret: null,
};
/** Headers that single requests have beside those of the endpoint. */
const OF_REQUEST = ["Accept", "Content-Type", "X-Api-Key", "Anthropic-Version"] as const;
/** The client's own time limit, the longest that a timer can hold: callers have theirs. */
const NO_LIMIT_MS = 2_147_483_647;

/**
 * Headers that the client adds by default, or takes from the environment. In a browser, any that the
 * API does not need can fail the CORS check.
 */
const NOT_SENT = {
  "Anthropic-Version": null,
  Authorization: null,
  "User-Agent": null,
  "X-Api-Key": null,
  "X-Stainless-Arch": null,
  "X-Stainless-Lang": null,
  "X-Stainless-OS": null,
  "X-Stainless-Package-Version": null,
  "X-Stainless-Retry-Count": null,
  "X-Stainless-Runtime": null,
  "X-Stainless-Runtime-Version": null,
};

/**
 * Sends one request by OpenAI's client, and gives the response with any status. Throws where the
 * connection fails. The client is large: import this file on first use, before any time limit
 * counts. It stays on version 6: 7 asks for Node.js 22 and may use what Node.js 20 lacks in any
 * release, while the command line and VS Code up to 1.100 run on 20, and it is 250 KB larger.
 */
export function askServer(
  endpoint: Endpoint,
  send: typeof fetch,
  signal: AbortSignal,
  request: ApiRequest,
): Promise<Response> {
  const { baseUrl, query, apiKey, headers } = endpoint;
  const own = headers ?? (apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` });
  return new Promise((resolve, reject) => {
    const sendOne: typeof fetch = async (url, init) => {
      signal.throwIfAborted();
      const response = abortable(
        followRedirects(send, withQuery(String(url), query), {
          ...init,
          headers: withoutOthers(init?.headers, own),
          signal,
        }),
        signal,
      );
      resolve(response);
      // The client would read a refusal whole, however long it is.
      return (await response).ok ? response : new Response();
    };
    const api = new OpenAI({
      baseURL: baseUrl,
      // The headers carry the key. What is not given here, the client would take from the
      // environment.
      apiKey: NO_KEY,
      ...NOT_READ,
      logLevel: "off",
      maxRetries: 0,
      timeout: NO_LIMIT_MS,
      dangerouslyAllowBrowser: true,
      defaultHeaders: { ...NOT_SENT, ...own },
      // The client would fetch a response to learn whether it can send forms.
      fetch: Object.assign(sendOne, { Response }),
    });
    request(api).asResponse().catch(reject);
  });
}

/** The headers of the request and of the endpoint: the client adds others from the environment. */
function withoutOthers(
  sent: RequestInit["headers"],
  own: Readonly<Record<string, string>>,
): Headers {
  const all = new Headers(sent);
  const names = [...OF_REQUEST, ...Object.keys(own)];
  return new Headers(
    names.flatMap((name): [string, string][] => {
      const value = all.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * An address with the query of the base URL as it is written there: the client would write it anew.
 */
function withQuery(address: string, query: string): string {
  const url = new URL(address);
  url.search = [query.slice(1), url.search.slice(1)].filter((part) => part !== "").join("&");
  return url.href;
}

/** Follows redirects on the same server only, so the request and its key reach no other. */
async function followRedirects(
  send: typeof fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  let current = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(current.href, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (
      (response.status !== 307 && response.status !== 308) ||
      location === null ||
      redirects === MAX_REDIRECTS
    )
      return response;
    const next = URL.canParse(location, current.href) ? new URL(location, current.href) : null;
    if (next?.origin !== current.origin) return response;
    await response.body?.cancel();
    current = next;
  }
}
