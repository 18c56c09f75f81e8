import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** A loopback server that fills gaps in code the way Ollama does, or cannot. */
export interface FillInServer {
  /** Its OpenAI-compatible address. */
  readonly url: string;
  /** The bodies of all requests to fill a gap. */
  readonly asked: readonly string[];
  /** What stands in the next gaps; null for a server that cannot. */
  fill: string | null;
  close(): Promise<void>;
}

/** Starts it. */
export async function startFillInServer(fill: string | null): Promise<FillInServer> {
  const asked: string[] = [];
  const http = createServer(async (request, response) => {
    const body = await text(request);
    const isAsked = request.url === "/api/generate";
    if (isAsked) asked.push(body);
    const answer = isAsked ? server.fill : null;
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer === null ? { error: "not found" } : { response: answer }));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const server: FillInServer = {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked,
    fill,
    async close() {
      const ended = once(http, "close");
      http.close();
      http.closeAllConnections();
      await ended;
    },
  };
  return server;
}
