import * as z from "zod/mini";
import { type Endpoint, oneLine } from "../endpoint.ts";
import type { FailureCode, ModelFailure } from "../modelFailure.ts";

const causeSchema = z.object({
  code: z.optional(z.string()),
  message: z.optional(z.string()),
  cause: z.optional(z.unknown()),
});

/** What Node.js and browsers say for each failure. */
const CODES: readonly (readonly [RegExp, FailureCode])[] = [
  [/ECONNREFUSED|ERR_CONNECTION_REFUSED/, "connection-refused"],
  [/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/, "unknown-host"],
  [/\b(?:ERR_TLS_\w+|ERR_SSL_\w+|ERR_CERT_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|EPROTO)\b/, "tls"],
  [/ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_CONNECTION_TIMED_OUT|ERR_TIMED_OUT/, "connect-timeout"],
  [/UND_ERR_HEADERS_TIMEOUT/, "first-token-timeout"],
  [/EHOSTUNREACH|ENETUNREACH|ERR_INTERNET_DISCONNECTED|ERR_ADDRESS_UNREACHABLE/, "no-route"],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|ERR_CONNECTION_(?:RESET|CLOSED)|ERR_EMPTY_RESPONSE|terminated/, "connection-closed"],
];

/** Why a connection failed or broke. `begun` is true when part of the answer had arrived. */
export function networkFailure(thrown: unknown, begun: boolean, endpoint: Endpoint): ModelFailure {
  const causes = causeChain(thrown);
  const trace = causes.map(({ code, message }) => `${code} ${message}`).join(" | ");
  if (/UND_ERR_BODY_TIMEOUT/.test(trace)) return { code: "idle-timeout", begun };
  if (begun) return { code: "interrupted", begun };
  for (const [pattern, code] of CODES) {
    const found = pattern.exec(trace);
    if (found) return { code, detail: found[0] };
  }
  return { code: "unreachable", detail: oneLine(causes.at(-1)?.message ?? "", endpoint) };
}

function causeChain(thrown: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  for (let current = thrown; chain.length < 8; ) {
    const { data } = causeSchema.safeParse(current);
    if (!data) break;
    chain.push({ code: data.code ?? "", message: data.message ?? "" });
    current = data.cause;
  }
  return chain;
}
