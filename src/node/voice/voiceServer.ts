import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Disposable } from "../../base/disposable.ts";
import { VOICE_PROTOCOL, type VoicePage } from "../../protocol/voicePage.ts";
import { isEqualSecret } from "../isEqualSecret.ts";
import { answerVoicePage, isOwnOrigin } from "./voicePage.ts";

/** Serves the page of one session on the loopback interface. */
export interface VoiceServer extends Disposable {
  /** The URL of the page, without its token. */
  readonly url: string;
  /** Goes into the URL fragment, which requests never contain. It is valid for one connection. */
  readonly token: string;
  /** The page's connection. Never settles if no page connects. */
  readonly connected: Promise<WebSocket>;
  /** Another window asks with this token (`POST stop`) to listen instead. */
  readonly stopToken: string;
  /** Settles when it did. */
  readonly stopped: Promise<void>;
}

/** Maximum size of a message from the page, in bytes. An audio chunk is about 2 kB. */
const MAX_MESSAGE = 64_000;

/** Whether a request comes from the page itself, which alone knows the token. */
function mayConnect({ headers }: IncomingMessage, token: string): boolean {
  const [protocol, offered = "", ...more] = (headers["sec-websocket-protocol"] ?? "").split(
    /\s*,\s*/,
  );
  return (
    headers.origin !== undefined &&
    isOwnOrigin(headers) &&
    protocol === VOICE_PROTOCOL &&
    more.length === 0 &&
    isEqualSecret(offered, token)
  );
}

/** Whether another window of this user wants to listen. */
function asksToStop(path: string, { method, headers }: IncomingMessage, token: string): boolean {
  const { authorization = "" } = headers;
  return method === "POST" && path === "/stop" && isEqualSecret(authorization, token);
}

function secret(): string {
  return randomBytes(32).toString("base64url");
}

/** Serves the page until disposed of. Disposing also closes the page's connection. */
export async function startVoiceServer(page: VoicePage): Promise<VoiceServer> {
  const [token, stopToken] = [secret(), secret()];
  let used = false;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const http = createServer((request, response) => {
    const [path = "/"] = (request.url ?? "/").split("?");
    if (asksToStop(path, request, stopToken)) {
      response.writeHead(204).end();
      stop();
      return;
    }
    const answered =
      request.method === "GET"
        ? answerVoicePage(path, request.headers, page)
        : Promise.reject(new Error("method"));
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
  const connected = new Promise<WebSocket>((resolve) => {
    http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => socket.destroy());
      if (used || !mayConnect(request, token)) {
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
    stopToken,
    stopped,
    dispose() {
      used = true;
      for (const socket of sockets.clients) socket.close(1000);
      sockets.close();
      http.close();
      http.closeIdleConnections();
    },
  };
}
