import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Duplex } from "node:stream";
import type { TestCertificate } from "./selfSigned.ts";

/** A server at `url`. */
export interface RunningServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A proxy, and the hosts that it was asked for. */
export interface TestProxy extends RunningServer {
  readonly hosts: readonly string[];
}

/** Serves over TLS what answers over http at `origin`. */
export function startSecureServer(
  origin: string,
  certificate: TestCertificate,
  address = "127.0.0.1",
): Promise<RunningServer> {
  return listen(createSecureServer({ ...certificate }, forwardTo(origin)), "https", address);
}

/**
 * A proxy on loopback through which every host is the server at `origin`, over TLS with
 * `certificate` where it is asked for a tunnel. It may want a `login`, as `user:password`; without a
 * certificate it wants one that nobody has.
 */
export async function startProxy(
  origin: string,
  certificate: TestCertificate | null,
  login = "",
): Promise<TestProxy> {
  const hosts: string[] = [];
  const refusal = { "proxy-authenticate": 'Basic realm="test"' };
  const pass = forwardTo(origin);
  const secure = certificate && createSecureServer({ ...certificate }, pass);
  const wanted = `Basic ${Buffer.from(login).toString("base64")}`;
  const mayPass = ({ headers }: IncomingMessage) =>
    certificate !== null && (login === "" || headers["proxy-authorization"] === wanted);
  const proxy = createServer((incoming, response) => {
    hosts.push(new URL(incoming.url ?? "", "http://none.invalid").host);
    if (mayPass(incoming)) pass(incoming, response);
    else response.writeHead(407, refusal).end();
  });
  const tunnels = new Set<Duplex>();
  proxy.on("connect", (incoming, socket) => {
    tunnels.add(socket.once("close", () => tunnels.delete(socket)));
    socket.on("error", () => socket.destroy());
    hosts.push(incoming.url ?? "");
    if (!secure || !mayPass(incoming))
      return socket.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: ${refusal["proxy-authenticate"]}\r\n\r\n`,
      );
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    return secure.emit("connection", socket);
  });
  const running = await listen(proxy, "http", "127.0.0.1");
  return {
    ...running,
    hosts,
    async close() {
      for (const socket of tunnels) socket.destroy();
      await running.close();
    },
  };
}

function forwardTo(origin: string): RequestListener {
  return (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(incoming.url ?? "", origin);
    const { method, headers } = incoming;
    const outgoing = httpRequest(`${origin}${pathname}${search}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  };
}

async function listen(
  server: Server,
  scheme: "http" | "https",
  address: string,
): Promise<RunningServer> {
  server.listen(0, address);
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The test server has no port.");
  return {
    url: `${scheme}://${address}:${bound.port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
