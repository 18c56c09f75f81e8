import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTestServer } from "./mcpTestServer.ts";

/** An MCP server behind OAuth 2.1 on the loopback interface: discovery, registration, PKCE. */
export interface OauthMcpServer {
  readonly url: string;
  /** Requests by `METHOD path`, in order. */
  readonly requests: readonly string[];
  /** Makes all access tokens invalid; refresh tokens go on working unless `all`. */
  expire(all?: boolean): void;
  close(): Promise<void>;
}

/** Starts the server. `page` answers as a user who signs in does: it redirects at once. */
export async function startOauthMcpServer(): Promise<OauthMcpServer> {
  const requests: string[] = [];
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, { client: string; challenge: string; redirect: string }>();
  let access = new Set<string>();
  let refresh = new Set<string>();
  let origin = "";

  const json = (response: ServerResponse, value: object, status = 200) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(value));
  const issue = () => {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() };
    access.add(tokens.access_token);
    refresh.add(tokens.refresh_token);
    return { ...tokens, token_type: "Bearer", expires_in: 3600 };
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    requests.push(`${request.method} ${pathname}`);
    if (pathname === "/mcp") {
      const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
      if (!access.has(token)) {
        const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
        return void response
          .writeHead(401, { "www-authenticate": `Bearer resource_metadata="${where}"` })
          .end();
      }
      const transport = new StreamableHTTPServerTransport();
      await createTestServer(() => undefined).connect(transport);
      return transport.handleRequest(request, response);
    }
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === "/.well-known/oauth-authorization-server")
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    if (pathname === "/register") {
      const wanted: { redirect_uris: string[] } = JSON.parse(body);
      const client_id = randomUUID();
      clients.set(client_id, wanted.redirect_uris);
      return json(response, { ...wanted, client_id }, 201);
    }
    if (pathname === "/authorize") {
      const [client = "", redirect = "", challenge = "", state = ""] = [
        "client_id",
        "redirect_uri",
        "code_challenge",
        "state",
      ].map((name) => searchParams.get(name) ?? "");
      if (!clients.get(client)?.includes(redirect) || challenge === "")
        return void response.writeHead(400).end();
      const code = randomUUID();
      codes.set(code, { client, challenge, redirect });
      const back = new URL(redirect);
      back.searchParams.set("code", code);
      back.searchParams.set("state", state);
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === "/token") {
      const given = new URLSearchParams(body);
      const old = given.get("refresh_token") ?? "";
      if (given.get("grant_type") === "refresh_token" && refresh.delete(old))
        return json(response, issue());
      const known = codes.get(given.get("code") ?? "");
      const verifier = createHash("sha256").update(given.get("code_verifier") ?? "");
      codes.delete(given.get("code") ?? "");
      return known?.challenge === verifier.digest("base64url") &&
        known.client === given.get("client_id") &&
        known.redirect === given.get("redirect_uri")
        ? json(response, issue())
        : json(response, { error: "invalid_grant" }, 400);
    }
    response.writeHead(404).end();
  }

  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const address = http.address();
  if (address === null || typeof address !== "object") throw new Error("no port");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/mcp`,
    requests,
    expire(all = false) {
      access = new Set();
      if (all) refresh = new Set();
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
