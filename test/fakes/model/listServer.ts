import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

/** One request that reached the server. */
interface ListRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a route answers: JSON, a status with a text, or nothing at all. */
export type ListAnswer =
  | { readonly status: number; readonly text: string; readonly headers?: Record<string, string> }
  | "silence"
  | object;

/** A loopback server that lists models the way its routes say. */
export interface ListServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly ListRequest[];
  close(): Promise<void>;
}

/**
 * Starts a server that answers `METHOD /path` by its routes, anything else with 404. `port` 0 takes
 * a free one.
 */
export async function startListServer(
  routes: Readonly<
    Record<string, ListAnswer | ((request: ListRequest) => ListAnswer | Promise<ListAnswer>)>
  >,
  port = 0,
): Promise<ListServer> {
  const requests: ListRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
    const request = { path: incoming.url ?? "", headers: incoming.headers, body };
    requests.push(request);
    const route = routes[`${incoming.method} ${request.path.split("?")[0]}`];
    const answer =
      typeof route === "function"
        ? await route(request)
        : (route ?? { status: 404, text: "404 page not found" });
    if (answer === "silence") return;
    const given = "text" in answer && "status" in answer;
    response.writeHead(given ? Number(answer.status) : 200, {
      "content-type": "application/json",
      ...("headers" in answer && given ? Object(answer.headers) : {}),
    });
    response.end(given ? answer.text : JSON.stringify(answer));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The test server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    async close() {
      const ended = once(server, "close");
      server.close();
      server.closeAllConnections();
      await ended;
    },
  };
}
