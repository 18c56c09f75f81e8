import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { err, ok, type Result } from "../../base/result.ts";
import type { WebFailure } from "../../tools/web/web.ts";
import { isPrivateAddress } from "./privateAddress.ts";

/** The most of a page that is read, in bytes. */
const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 5;

/** A page as it came. */
export interface FetchedPage {
  readonly url: URL;
  /** The header `Content-Type`, in lower case. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  host: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Which private hosts may be read, as `name` or `name:port`; and how names are looked up. */
export interface WebLimits {
  allowed(): readonly string[];
  readonly lookup?: Lookup;
}

const findAll: Lookup = (host, options, done) =>
  systemLookup(host, { ...options, all: true }, done);

/** Reads a page, with its redirects on the same host. */
export async function requestPage(
  from: URL,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<Result<FetchedPage, WebFailure>> {
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await requestOnce(url, limits, signal);
    if (!answer.ok) return answer;
    if (!("location" in answer.value)) return ok(answer.value);
    const { location } = answer.value;
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (next === null || !/^https?:$/.test(next.protocol))
      return err({ code: "redirected", to: location });
    if (!isSameHost(url, next)) return err({ code: "redirected", to: next.href });
    url = next;
  }
  return err({ code: "too-many-redirects" });
}

/** On the same host and port; from http also to https, but not back. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.protocol === to.protocol) return from.host === to.host;
  return (
    from.protocol === "http:" && from.hostname === to.hostname && from.port === "" && to.port === ""
  );
}

/**
 * One request. The connection goes to an address that was checked: the name is looked up once, and
 * what it then reached is compared.
 */
function requestOnce(
  url: URL,
  limits: WebLimits,
  signal: AbortSignal,
): Promise<Result<FetchedPage | Redirect, WebFailure>> {
  const addresses = checkedAddresses(url, limits);
  if (addresses.isPrivate()) return Promise.resolve(err({ code: "private-address" }));
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve) => {
    const outgoing = request(url, {
      ...{ signal, agent: false, headers: HEADERS, lookup: addresses.lookup },
    });
    const settle = (outcome: Result<FetchedPage | Redirect, WebFailure>) => {
      resolve(outcome);
      outgoing.destroy();
    };
    outgoing.on("error", (error) => settle(err(whyNoPage(error, addresses.isPrivate(), signal))));
    outgoing.on("socket", (socket) =>
      socket.once("connect", () => {
        if (!addresses.has(socket.remoteAddress ?? "")) settle(err({ code: "other-address" }));
      }),
    );
    outgoing.on("response", (response) => void readResponse(url, response, signal).then(settle));
    outgoing.end();
  });
}

interface Redirect {
  readonly location: string;
}

const HEADERS = {
  accept: "text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.8, */*;q=0.1",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "Graft (VS Code extension)",
};

/** The addresses of a host that may be connected to, as they are looked up. */
function checkedAddresses(url: URL, { allowed, lookup = findAll }: WebLimits) {
  const isAllowed = allowed().some((host) => host === url.host || host === url.hostname);
  const isRefused = (address: string) => !isAllowed && isPrivateAddress(address);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const checked = new Set<string>(isIP(name) === 0 ? [] : [name]);
  let isPrivate = isIP(name) !== 0 && isRefused(name);
  const look: LookupFunction = (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      isPrivate = !error && addresses.some(({ address }) => isRefused(address));
      const [first] = addresses ?? [];
      if (error || isPrivate || !first) {
        done(error ?? new Error("private address"), "", 0);
        return;
      }
      for (const { address } of addresses) checked.add(address);
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  return {
    lookup: look,
    isPrivate: () => isPrivate,
    has: (address: string) => checked.has(address) || checked.has(address.replace(/^::ffff:/, "")),
  };
}

function whyNoPage(error: unknown, isPrivate: boolean, signal: AbortSignal): WebFailure {
  if (isPrivate) return { code: "private-address" };
  if (signal.aborted) return { code: "timed-out" };
  return { code: "unreachable", detail: systemWords(error) };
}

async function readResponse(
  url: URL,
  response: http.IncomingMessage,
  signal: AbortSignal,
): Promise<Result<FetchedPage | Redirect, WebFailure>> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400 && headers.location !== undefined)
    return ok({ location: headers.location });
  if (status < 200 || status >= 300) return err({ code: "status", status });
  try {
    const { bytes, isCut } = await readLimited(response);
    return ok({ url, type: (headers["content-type"] ?? "").toLowerCase(), bytes, isCut });
  } catch (error) {
    return err(whyNoPage(error, false, signal));
  }
}

async function readLimited(
  response: http.IncomingMessage,
): Promise<Pick<FetchedPage, "bytes" | "isCut">> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of decoded(response)) {
    const bytes = Buffer.from(part);
    parts.push(bytes);
    length += bytes.length;
    if (length > MAX_BYTES) break;
  }
  const all = Buffer.concat(parts);
  return { bytes: all.subarray(0, MAX_BYTES), isCut: all.length > MAX_BYTES };
}

function decoded(response: http.IncomingMessage): NodeJS.ReadableStream {
  const decoder = decoderOf(response.headers["content-encoding"]);
  if (decoder === null) return response;
  response.on("error", (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

function decoderOf(encoding = "") {
  if (encoding === "br") return createBrotliDecompress();
  if (encoding === "deflate") return createInflate();
  return encoding === "gzip" || encoding === "x-gzip" ? createGunzip() : null;
}

function systemWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
