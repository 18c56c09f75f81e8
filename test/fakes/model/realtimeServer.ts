import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import * as z from "zod/mini";

const sentSchema = z.looseObject({ type: z.string() });

/** What a client sent. */
export type SentEvent = z.infer<typeof sentSchema>;

/** Events of one response, or what to do with its connection. */
export type RealtimeStep = readonly (Readonly<Record<string, unknown>> | "drop" | "wait")[];

/** A Realtime server that answers the n-th `response.create` with the n-th step of its script. */
export interface RealtimeServer {
  readonly url: string;
  /** What came, by connection. */
  readonly connections: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly sent: SentEvent[];
    readonly closed: Promise<unknown>;
  }[];
  close(): Promise<void>;
}

/** Starts it; `session` is what it says first. */
export async function startRealtimeServer(
  steps: readonly RealtimeStep[],
  session: Readonly<Record<string, unknown>> = { type: "realtime", output_modalities: ["audio"] },
): Promise<RealtimeServer> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const connections: RealtimeServer["connections"] = [];
  let asked = 0;
  const answer = (socket: WebSocket) => {
    for (const event of steps[asked++] ?? []) {
      if (event === "wait") return;
      if (event === "drop") {
        socket.terminate();
        return;
      }
      socket.send(JSON.stringify(event));
    }
  };
  server.on("connection", (socket, request) => {
    const sent: SentEvent[] = [];
    connections.push({ path: request.url ?? "", headers: request.headers, sent, closed: once(socket, "close") });
    socket.on("message", (data) => {
      const event = sentSchema.parse(JSON.parse(String(data)));
      sent.push(event);
      if (event.type === "response.create") answer(socket);
    });
    socket.send(JSON.stringify({ type: "session.created", session }));
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`,
    connections,
    async close() {
      for (const socket of server.clients) socket.terminate();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
