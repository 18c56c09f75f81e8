import { err, ok, type Result } from "../base/result.ts";
import type { ModelFailure } from "./modelFailure.ts";

/** Where a request goes. */
export interface Endpoint {
  /** Without query or trailing slash; may be shown. */
  readonly baseUrl: string;
  /** The query of the base URL; some gateways want it with every request. */
  readonly query: string;
  readonly apiKey: string | null;
  readonly model: string;
}

const MAX_LINE = 300;

/** Parses the setting graft.baseUrl: an http or https address without a user name or password. */
export function parseBaseUrl(text: string): Result<URL, ModelFailure> {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return err({ code: "invalid-url" });
  return url.username === "" && url.password === "" ? ok(url) : err({ code: "url-with-credentials" });
}

/** Makes an endpoint of the user's settings. The base URL may end in `/chat/completions`. */
export function parseEndpoint(baseUrl: string, apiKey: string | null, model: string): Result<Endpoint, ModelFailure> {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) return parsed;
  const url = parsed.value;
  const key = apiKey?.trim() || null;
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) return err({ code: "invalid-key" });
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return ok({ baseUrl: url.origin + path, query: url.search, apiKey: key, model });
}

/** What a server or the system said, clipped to one line and without the key. */
export function oneLine(text: string, { apiKey }: Endpoint): string {
  const line = (apiKey === null ? text : text.replaceAll(apiKey, "[key]")).replace(/\s+/g, " ").trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
