import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTestServer } from "./mcpTestServer.ts";

/** The small MCP server over HTTP on the loopback interface. */
export interface McpHttpServer {
  /**
   * Streamable HTTP with sessions is at `/mcp`, the older protocol alone at `/sse`; `/forbidden`
   * answers 403, `/mcp` without the token 401.
   */
  readonly url: string;
  /** The value of `Authorization` that opens it. */
  readonly authorization: string;
  close(): Promise<void>;
}

/** Starts the server. */
export async function startMcpHttpServer(): Promise<McpHttpServer> {
  const authorization = `Bearer ${randomUUID()}`;
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const older = new Map<string, SSEServerTransport>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/forbidden")
      return void response.writeHead(403).end(`${request.headers.authorization} may not`);
    if (request.headers.authorization !== authorization) {
      return void response
        .writeHead(401, { "www-authenticate": "Bearer" })
        .end(`not ${request.headers.authorization}`);
    }
    if (pathname === "/mcp") {
      const known = streamable.get(request.headers["mcp-session-id"]?.toString() ?? "");
      return (known ?? (await openStreamable())).handleRequest(request, response);
    }
    if (request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      older.set(transport.sessionId, transport);
      return createTestServer(() => undefined).connect(transport);
    }
    const transport = older.get(searchParams.get("sessionId") ?? "");
    return transport
      ? transport.handlePostMessage(request, response)
      : void response.writeHead(405).end();
  }

  async function openStreamable(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void streamable.set(id, transport),
    });
    await createTestServer(() => undefined).connect(transport);
    return transport;
  }

  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const address = http.address();
  if (address === null || typeof address !== "object") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    authorization,
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
