import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Disposable } from "../../base/disposable.ts";
import { VOICE_PROTOCOL, type VoicePage } from "../../protocol/voicePage.ts";
import { answerVoicePage, isOwnOrigin } from "./voicePage.ts";

/** The page of one session, on this machine's loopback. */
export interface VoiceServer extends Disposable {
  /** Where the page is, without its token. */
  readonly url: string;
  /** Belongs into the address's fragment, which no request carries. It opens one connection. */
  readonly token: string;
  /** The page's connection. Never settles if no page comes. */
  readonly connected: Promise<WebSocket>;
}

/** Most bytes of one message of the page; a piece of sound has about 2 kB. */
const MAX_MESSAGE = 64_000;

/** Serves the page until it is disposed of; also ends the page's connection. */
export async function startVoiceServer(page: VoicePage): Promise<VoiceServer> {
  const token = randomBytes(32).toString("base64url");
  let used = false;
  const http = createServer((request, response) => {
    const [path = "/"] = (request.url ?? "/").split("?");
    const answered = request.method === "GET" ? answerVoicePage(path, request.headers, page) : Promise.reject(new Error("method"));
    answered.then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.writeHead(404).end(),
    );
  });
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: MAX_MESSAGE,
    perMessageDeflate: false,
    handleProtocols: () => VOICE_PROTOCOL,
  });
  const mayConnect = ({ headers }: IncomingMessage) => {
    const [protocol, offered = "", ...more] = (headers["sec-websocket-protocol"] ?? "").split(/\s*,\s*/);
    return headers.origin !== undefined && isOwnOrigin(headers) && protocol === VOICE_PROTOCOL && more.length === 0 && same(offered, token);
  };
  const connected = new Promise<WebSocket>((resolve) => {
    http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      if (used || !mayConnect(request)) {
        socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      used = true;
      sockets.handleUpgrade(request, socket, head, resolve);
    });
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(0, "127.0.0.1", resolve);
  });
  const address = http.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    token,
    connected,
    dispose() {
      used = true;
      for (const socket of sockets.clients) socket.close(1000);
      sockets.close();
      http.close();
      http.closeIdleConnections();
    },
  };
}

/** Compares without telling by time how much is the same. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
