import { err, ok, type Result } from "../base/result.ts";
import { firstWords } from "../base/text/clip.ts";
import { isKeyName, isKeyValue } from "./keyNames.ts";
import type { ModelServer } from "./modelClient.ts";
import type { ModelFailure } from "./modelFailure.ts";

/** Where a request goes. */
export interface Endpoint {
  /** Without query or trailing slash; may be shown. */
  readonly baseUrl: string;
  /** The query of the base URL; some gateways want it with every request. */
  readonly query: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** Sent with every request; may hold keys. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const MAX_LINE = 300;
/** The shortest value of a header that may be a key. */
const SHORTEST_SECRET = 12;

/** True for the address of a web server. */
export function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Parses the setting graft.baseUrl: an http or https address without a user name or password. */
export function parseBaseUrl(text: string): Result<URL, ModelFailure> {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return err({ code: "invalid-url" });
  return url.username === "" && url.password === ""
    ? ok(url)
    : err({ code: "url-with-credentials" });
}

/** Whether a host name means this machine itself. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    host === "0.0.0.0" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}

/**
 * True for hosts of a private network: addresses of RFC 1918, RFC 3927 and RFC 4193, multicast DNS
 * names (RFC 6762), and names without a dot, which only a local resolver knows.
 */
export function isPrivateHost(host: string): boolean {
  return (
    /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$/.test(host) ||
    /^\[f[cd][0-9a-f]{2}:/.test(host) ||
    host.endsWith(".local") ||
    host.endsWith(".internal") ||
    /^[a-z0-9-]+$/.test(host)
  );
}

/**
 * True where a key would leave this machine unencrypted, although `unencryptedKey` does not allow
 * that: one that is given, or one in a header or the address, by its name or its shape.
 */
export function exposesKey(
  { protocol, hostname, searchParams }: URL,
  {
    apiKey,
    headers = {},
    unencryptedKey,
  }: Pick<ModelServer, "apiKey" | "headers" | "unencryptedKey">,
): boolean {
  const hasKey = [...searchParams, ...Object.entries(headers)].some(
    ([name, value]) => isKeyName(name) || isKeyValue(value),
  );
  return (
    protocol === "http:" &&
    !isLoopback(hostname) &&
    unencryptedKey !== true &&
    (apiKey !== null || hasKey)
  );
}

/** Where requests for a model of a server go. The base URL may end in `/chat/completions`. */
export function parseEndpoint(
  { baseUrl, apiKey, headers, unencryptedKey }: Omit<ModelServer, "limits">,
  model: string,
): Result<Endpoint, ModelFailure> {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) return parsed;
  const url = parsed.value;
  const key = apiKey?.trim() || null;
  if (exposesKey(url, { apiKey: key, headers, unencryptedKey }))
    return err({ code: "unencrypted-key" });
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) return err({ code: "invalid-key" });
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return ok({ baseUrl: url.origin + path, query: url.search, apiKey: key, model, headers });
}

/** A base URL without its query, which may hold a key: it may be shown and kept. */
export function withoutQuery(baseUrl: string): string {
  return baseUrl.split("?")[0] ?? "";
}

/** What a server or the system said, clipped to one line and without keys. */
export function redactedLine(
  text: string,
  { apiKey, headers = {} }: Pick<Endpoint, "apiKey" | "headers">,
): string {
  const hidden = [
    ...(apiKey === null ? [] : [apiKey]),
    ...Object.values(headers).filter(({ length }) => length >= SHORTEST_SECRET),
  ];
  return firstWords(
    hidden.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), text),
    MAX_LINE,
  );
}

/** The address of a path, such as `/api/tags`, beside a server's OpenAI-compatible API. */
export function besideV1(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/v1$/, "") + path;
}
