import type { Connection } from "../../model/connections/connection.ts";
import { isLoopback, isPrivateHost, parseBaseUrl } from "../../model/endpoint.ts";

/** A server with models. */
export interface Server {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Scheme, host and port: what a stored key belongs to. */
  readonly origin: string;
  /** Host and port as people read them. */
  readonly host: string;
  /** On this machine or in its private network: needs no key. */
  readonly local: boolean;
  /** On this machine. */
  readonly loopback: boolean;
}

/** The server of a connection; null where its base URL is no web address. */
export function serverOf({ baseUrl }: Pick<Connection, "baseUrl">): Server | null {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) return null;
  const { origin, host, hostname } = parsed.value;
  const loopback = isLoopback(hostname);
  return {
    baseUrl: baseUrl.trim().replace(/\/+$/, ""),
    origin,
    host,
    local: loopback || isPrivateHost(hostname),
    loopback,
  };
}

/**
 * The name under which a key for an origin is stored, of one connection or of all. A key is only
 * ever read under the origin it is sent to.
 */
export function apiKeyName(origin: string, connection?: string): string {
  return connection === undefined
    ? `graft.apiKey:${origin}`
    : `graft.apiKey:${origin} ${connection}`;
}
