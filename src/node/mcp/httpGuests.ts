import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { MAX_GUEST_ARGUMENTS } from "../../ports/guest.ts";
import { isEqualSecret } from "../isEqualSecret.ts";

/** The most clients at a time. */
const MAX_CLIENTS = 32;
/** The largest request body, in bytes: the arguments of a call as JSON, with room around them. */
const MAX_BODY = 2 * MAX_GUEST_ARGUMENTS;

/** An MCP server over HTTP on the loopback interface. */
export interface HttpGuests {
  readonly url: string;
  dispose(): Promise<void>;
}

/**
 * Serves MCP at `/mcp` on 127.0.0.1 for who knows `token`. `open` makes a server for each client.
 * Rejects where the port is taken.
 */
export async function serveHttpGuests(
  port: number,
  token: string,
  open: () => Server,
): Promise<HttpGuests> {
  const clients = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromHere(request)) return refuse(response, 403);
    if (!isAuthorized(request, token)) return refuse(response, 401);
    if (request.url?.split("?")[0] !== "/mcp") return refuse(response, 404);
    const { "mcp-session-id": name } = request.headers;
    const known = typeof name === "string" ? clients.get(name) : undefined;
    if (known && typeof name === "string") {
      clients.delete(name);
      clients.set(name, known);
      return known.handleRequest(request, response);
    }
    if (name !== undefined) return refuse(response, 404);
    // Clients that died say nothing: the one that was quiet for longest makes room.
    const [[oldest, quiet] = []] = clients;
    if (clients.size >= MAX_CLIENTS && oldest !== undefined) {
      clients.delete(oldest);
      await quiet?.close();
    }
    await (await newClient()).handleRequest(request, response);
  }

  async function newClient(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY,
      onsessioninitialized: (id) => void clients.set(id, transport),
      onsessionclosed: (id) => void clients.delete(id),
    });
    await open().connect(transport);
    return transport;
  }

  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, "127.0.0.1", resolve);
  });
  const address = http.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    async dispose() {
      http.close();
      for (const transport of clients.values()) await transport.close();
      http.closeAllConnections();
    },
  };
}

/** True for a request to this machine that no page of another site made. */
function isFromHere({ headers: { host = "", origin } }: IncomingMessage): boolean {
  const local = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/;
  return (
    local.test(host) && (origin === undefined || local.test(origin.replace(/^https?:\/\//, "")))
  );
}

function isAuthorized(
  { headers: { authorization = "" } }: IncomingMessage,
  token: string,
): boolean {
  return isEqualSecret(authorization, `Bearer ${token}`);
}

function refuse(response: ServerResponse, status: number): void {
  const headers = status === 401 ? { "www-authenticate": "Bearer" } : {};
  response.writeHead(status, { ...headers, connection: "close" }).end();
}
