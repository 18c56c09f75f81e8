import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import * as tls from "node:tls";
import { isLoopback } from "../../model/endpoint.ts";

/** Variables of a process, such as `HTTPS_PROXY`. */
export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/** Statuses whose responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `direct`, but through the proxy that the environment names, which Node.js below 22 cannot do. It
 * follows no redirects. This machine is always asked directly.
 */
export function proxyFetch(direct: typeof fetch, variables: ProxyVariables): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const proxy = proxyFor(url, variables);
    if (proxy === null) return direct(input, init);
    try {
      if (!/^https?:$/.test(proxy.protocol)) throw proxyRefusal(`${proxy.protocol} is unknown`);
      const body = Buffer.from(await request.arrayBuffer());
      return responseOf(await answerOf(url, proxy, request, body));
    } catch (error) {
      request.signal.throwIfAborted();
      throw new TypeError("fetch failed", { cause: error });
    }
  };
}

/** The proxy for an address; null where it is asked directly. */
export function proxyFor({ protocol, hostname, port }: URL, variables: ProxyVariables): URL | null {
  const named = (name: string) => variables[name.toLowerCase()] || variables[name] || "";
  if (!/^https?:$/.test(protocol) || isLoopback(hostname)) return null;
  const isSecure = protocol === "https:";
  const proxy = named(isSecure ? "HTTPS_PROXY" : "HTTP_PROXY");
  const address = /^\w+:\/\//.test(proxy) ? proxy : `http://${proxy}`;
  if (proxy === "" || !URL.canParse(address)) return null;
  const target = { hostname, port: port || (isSecure ? "443" : "80") };
  const isExempt = named("NO_PROXY")
    .split(/[\s,]+/)
    .some((entry) => isNamed(entry.toLowerCase(), target));
  return isExempt ? null : new URL(address);
}

/** Whether an entry of `NO_PROXY` names a server: `*`, a host with those below it, or with a port. */
function isNamed(entry: string, target: { hostname: string; port: string }): boolean {
  const [, name = "", port = target.port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entry === "*") return true;
  const { hostname } = target;
  return (
    name !== "" && port === target.port && (hostname === name || hostname.endsWith(`.${name}`))
  );
}

async function answerOf(
  url: URL,
  proxy: URL,
  { method, headers, signal }: Request,
  body: Buffer,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const login = proxyLogin(proxy);
  const sent = {
    ...Object.fromEntries(headers),
    host: url.host,
    ...(body.length > 0 && { "content-length": String(body.length) }),
  };
  const socket = isSecure ? await tunnel(url, proxy, login, signal) : null;
  const outgoing = socket
    ? https.request(url, {
        ...{ method, headers: sent, signal },
        createConnection: () => encrypted(socket, url.hostname.replace(/^\[|\]$/g, "")),
      })
    : requestTo(proxy)({
        ...{ method, signal, agent: false, host: proxy.hostname, port: proxy.port || undefined },
        ...{ path: url.href, headers: { ...sent, ...login } },
      });
  return new Promise((resolve, reject) => {
    outgoing.on("error", reject).on("response", resolve).end(body);
  });
}

/** A connection through the proxy to the server of `url`. */
function tunnel(
  url: URL,
  proxy: URL,
  login: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Socket> {
  const target = `${url.hostname}:${url.port || 443}`;
  const connect = requestTo(proxy)({
    ...{ method: "CONNECT", path: target, signal, agent: false },
    ...{ host: proxy.hostname, port: proxy.port || undefined, headers: { host: target, ...login } },
  });
  return new Promise((resolve, reject) => {
    const refused = ({ statusCode }: IncomingMessage) => reject(proxyRefusal(String(statusCode)));
    connect
      .on("error", reject)
      .on("response", (response) => {
        response.destroy();
        refused(response);
      })
      .on("connect", (response, socket) => {
        if (response.statusCode === 200) return resolve(socket);
        socket.destroy();
        refused(response);
      })
      .end();
  });
}

function encrypted(socket: Socket, host: string): Socket {
  return tls.connect({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
}

/** As Node.js says it. */
function proxyRefusal(reason: string): Error {
  return new Error(`Proxy response (${reason}) !== 200 when HTTP Tunneling`);
}

function requestTo({ protocol }: URL) {
  return protocol === "https:" ? https.request : http.request;
}

function proxyLogin({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` };
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", headersDistinct } = answer;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = WITHOUT_BODY.has(status) ? null : streamOf(answer);
  return new Response(body, { status, statusText, headers });
}

function streamOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(stream) {
      const piece = await pieces.next();
      if (piece.done) stream.close();
      else stream.enqueue(piece.value);
    },
    cancel: () => void answer.destroy(),
  });
}
