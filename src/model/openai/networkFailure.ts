import * as z from "zod/mini";
import { type Endpoint, redactedLine } from "../endpoint.ts";
import type { FailureCode, ModelFailure } from "../modelFailure.ts";

const causeSchema = z.object({
  // A DOMException has a number.
  code: z.catch(z.optional(z.string()), undefined),
  name: z.optional(z.string()),
  message: z.optional(z.string()),
  cause: z.optional(z.unknown()),
});

/** What Node.js and browsers say for each failure. */
const CODES: readonly (readonly [RegExp, FailureCode])[] = [
  [/ECONNREFUSED|ERR_CONNECTION_REFUSED/, "connection-refused"],
  [/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/, "unknown-host"],
  [
    /\b(?:ERR_TLS_\w+|ERR_SSL_\w+|ERR_CERT_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|EPROTO)\b/,
    "tls",
  ],
  [/ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_CONNECTION_TIMED_OUT|ERR_TIMED_OUT/, "connect-timeout"],
  [/UND_ERR_HEADERS_TIMEOUT/, "first-token-timeout"],
  // How Chromium, Firefox and Safari say everything, also that a server allows no requests from
  // other sites.
  [/\bFailed to fetch\b|NetworkError when attempting|\bLoad failed\b/, "browser-refused"],
  [/EHOSTUNREACH|ENETUNREACH|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE/, "no-route"],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE|terminated/,
    "connection-closed",
  ],
];

/** How Node.js names the address and the port that it could not connect to. */
const NOT_CONNECTED =
  /(?:connect (?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)|attempted address:) \S+:(\d+)/;

/** Why a connection failed or broke. `begun` is true when part of the answer had arrived. */
export function networkFailure(thrown: unknown, begun: boolean, endpoint: Endpoint): ModelFailure {
  const causes = causeChain(thrown);
  const trace = causes.map(({ code, message }) => `${code} ${message}`).join(" | ");
  if (/UND_ERR_BODY_TIMEOUT/.test(trace)) return { code: "idle-timeout", begun };
  if (begun) return { code: "interrupted", begun };
  const proxy = proxyFault(trace, endpoint);
  if (proxy === "407") return { code: "proxy-login" };
  if (proxy !== null) return { code: "proxy-refused", detail: proxy };
  for (const [pattern, code] of CODES) {
    const found = pattern.exec(trace);
    if (found) return { code, detail: found[0] };
  }
  return { code: "unreachable", detail: redactedLine(causes.at(-1)?.message ?? "", endpoint) };
}

/**
 * What a proxy on the way answered, or that it cannot be reached; null where no proxy is to blame.
 */
function proxyFault(trace: string, { baseUrl }: Endpoint): string | null {
  if (trace.includes("Proxy Authentication Required")) return "407";
  const status = /Proxy response \(([^)]+)\)/.exec(trace)?.[1];
  if (status !== undefined) return status;
  const [unusable] = /Invalid URL protocol/.exec(trace) ?? [];
  if (unusable !== undefined) return unusable;
  const { hostname, port, protocol } = new URL(baseUrl);
  const [unknown, name] = /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/.exec(trace) ?? [];
  if (unknown !== undefined) return name === hostname ? null : unknown;
  const [failed, tried] = NOT_CONNECTED.exec(trace) ?? [];
  return failed === undefined || tried === (port || (protocol === "http:" ? "80" : "443"))
    ? null
    : failed;
}

/** What was thrown and its causes, as far as they have words. */
export function causeChain(thrown: unknown): { code: string; name: string; message: string }[] {
  const chain: { code: string; name: string; message: string }[] = [];
  for (let current = thrown; chain.length < 8; ) {
    const { data } = causeSchema.safeParse(
      typeof current === "string" ? { message: current } : current,
    );
    if (!data) break;
    chain.push({ code: data.code ?? "", name: data.name ?? "", message: data.message ?? "" });
    current = data.cause;
  }
  return chain;
}
