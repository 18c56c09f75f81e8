import { ok, type Result } from "../../base/result.ts";
import { parseBaseUrl } from "../../model/endpoint.ts";
import type { ModelFailure } from "../../model/modelFailure.ts";

/** Where questions go: the built-in demonstration, or a server. */
export type Endpoint =
  | { readonly kind: "demo" }
  | {
      readonly kind: "server";
      /** Without a slash at its end. */
      readonly baseUrl: string;
      /** Scheme, host and port: what a stored key belongs to. */
      readonly origin: string;
      /** Host and port as people read them. */
      readonly host: string;
      /** On this machine or in its private network: needs no key, and may be reached without encryption. */
      readonly local: boolean;
      /** On this machine. */
      readonly loopback: boolean;
    };

/** Reads the setting graft.baseUrl, or the base URL of a connection. */
export function parseEndpoint(baseUrl: string): Result<Endpoint, ModelFailure> {
  const text = baseUrl.trim();
  if (text.toLowerCase() === "demo") return ok({ kind: "demo" });
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) return parsed;
  const url = parsed.value;
  const loopback = isLoopback(url.hostname);
  const local = loopback || isPrivate(url.hostname);
  return ok({ kind: "server", baseUrl: text.replace(/\/+$/, ""), origin: url.origin, host: url.host, local, loopback });
}

/** The name under which a key for an origin is stored, of one connection or of all. A key is only ever read under the origin it is sent to. */
export function apiKeyName(origin: string, connection?: string): string {
  return connection === undefined ? `graft.apiKey:${origin}` : `graft.apiKey:${origin} ${connection}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || host === "0.0.0.0" || /^127(\.\d{1,3}){3}$/.test(host);
}

// RFC 1918, RFC 3927 and RFC 4193 addresses, multicast DNS names (RFC 6762), and names without a dot, which only a local resolver knows.
function isPrivate(host: string): boolean {
  return (
    /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$/.test(host) ||
    /^\[f[cd][0-9a-f]{2}:/.test(host) ||
    host.endsWith(".local") ||
    host.endsWith(".internal") ||
    /^[a-z0-9-]+$/.test(host)
  );
}
