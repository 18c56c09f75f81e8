import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import { thrownText } from "../../base/text/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type {
  ConnectMcp,
  McpCallbacks,
  McpConnection,
  McpFailure,
  McpProblem,
  McpServer,
} from "../../ports/mcp.ts";
import { hideSecrets } from "../../tools/mcp/secrets.ts";
import { serverEnvironment } from "../processes/childEnvironment.ts";
import { pathOutside } from "../processes/programOnPath.ts";
import { childTransport, type ServerTransport } from "./childTransport.ts";
import { readableFetch } from "./readableMessage.ts";
import { canSignIn, isSignedIn, signInProvider } from "./serverSignIn.ts";

/** The longest delay of a timer, in milliseconds. Callers set their own time limits. */
const NO_LIMIT = 2_147_483_647;
const MAX_PAGES = 20;
/** The most of an error message that is kept, in UTF-16 units. */
const MAX_DETAIL = 500;

const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.nullish(z.string()),
});

/** Connects to a server with the SDK. Errors never contain the server's secrets. */
export const connectMcp: ConnectMcp = async (server, callbacks, signal) => {
  const first = await openConnection(server, callbacks, signal);
  if (first.ok) return first;
  const { problem, older } = first.error;
  if (server.transport.type !== "http" || !older) return err(problem);
  // Servers from before 2025 use the older SSE protocol at the same URL.
  const second = await openConnection(
    { ...server, transport: { ...server.transport, type: "sse" } },
    callbacks,
    signal,
  );
  if (second.ok) return second;
  const { code } = second.error.problem;
  const isClosed = code === "unauthorized" || code === "sign-in-needed";
  return err(isClosed ? second.error.problem : problem);
};

/** Why connecting failed, and whether the server may use the older protocol. */
interface OpeningError {
  readonly problem: McpProblem;
  readonly older: boolean;
}

async function openConnection(
  server: McpServer,
  callbacks: McpCallbacks,
  signal: AbortSignal,
): Promise<Result<McpConnection, OpeningError>> {
  const signIn = await keptSignIn(server, callbacks);
  const { transport, complaint } = await sdkTransport(server, callbacks, signIn);
  const client = new Client({ name: "graft", version: "0.1.0" }, { capabilities: { roots: {} } });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  serve(client, callbacks);
  const told = (said: string) => hideSecrets(firstPart(said.trim(), MAX_DETAIL), server.secrets);
  const attempt = async <T>(work: () => Promise<T>): Promise<Result<T, McpFailure>> => {
    try {
      return ok(await work());
    } catch (error) {
      const over = error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
      const refused = error instanceof McpError && !over && error.code !== ErrorCode.RequestTimeout;
      return err({
        code: refused ? "refused" : "broken",
        detail: over ? "" : told(thrownText(error)),
        wrote: told(complaint()),
      });
    }
  };
  try {
    const connected = await untilAborted(
      client.connect(transport, { signal, timeout: NO_LIMIT }),
      signal,
    );
    if (!connected.ok) throw new Error("cancelled");
  } catch (error) {
    await transport.close().catch(() => undefined);
    const facts = { detail: told(thrownText(error)), wrote: told(complaint()) };
    return err(openingError(server, error, facts, callbacks));
  }
  return ok({
    ...promptsOf(client, attempt),
    closed,
    listTools: (during) => attempt(() => allTools(client, during)),
    callTool: (name, args, onProgress, during) =>
      attempt(() =>
        client.request({ method: "tools/call", params: { name, arguments: args } }, ResultSchema, {
          signal: during,
          timeout: NO_LIMIT,
          onprogress: ({ progress, total, message }) =>
            onProgress(
              `${[total === undefined ? String(progress) : `${progress} of ${total}`, message].filter(Boolean).join(": ")}\n`,
            ),
        }),
      ),
    close: () => client.close().catch(() => undefined),
  });
}

const promptsSchema = z.looseObject({ prompts: z.array(z.unknown()) });

type Attempt = <T>(work: () => Promise<T>) => Promise<Result<T, McpFailure>>;

/** The first page of a server's prompts: nobody reads more in a list of commands. */
function promptsOf(client: Client, attempt: Attempt): Pick<McpConnection, "prompts"> {
  if (client.getServerCapabilities()?.prompts === undefined) return {};
  const ask = (method: string, params: object, signal: AbortSignal) =>
    client.request({ method, params: { ...params } }, ResultSchema, { signal, timeout: NO_LIMIT });
  return {
    prompts: {
      list: (signal) =>
        attempt(async () => z.parse(promptsSchema, await ask("prompts/list", {}, signal)).prompts),
      get: (name, args, signal) =>
        attempt(() => ask("prompts/get", { name, arguments: args }, signal)),
    },
  };
}

/** What the user's earlier sign-in gave; null where there was none. */
async function keptSignIn(
  server: McpServer,
  { signIn }: McpCallbacks,
): Promise<OAuthClientProvider | null> {
  const { transport } = server;
  if (!signIn || transport.type === "stdio" || !canSignIn(server)) return null;
  const { url } = transport;
  return (await isSignedIn(url, signIn)) ? signInProvider(url, signIn, null) : null;
}

function openingError(
  server: McpServer,
  error: unknown,
  facts: { readonly detail: string; readonly wrote: string },
  { signIn }: McpCallbacks,
): OpeningError {
  const { name } = server;
  const status =
    error instanceof UnauthorizedError
      ? 401
      : error instanceof StreamableHTTPError || error instanceof SseError
        ? error.code
        : undefined;
  const older =
    error instanceof StreamableHTTPError && (status === 404 || status === 405 || status === 400);
  if (status === 401 && signIn && canSignIn(server))
    return { problem: { code: "sign-in-needed", name, server }, older };
  return status === 401 || status === 403
    ? { problem: { code: "unauthorized", name, status }, older }
    : { problem: { code: "not-started", name, ...facts }, older };
}

/** Handles the server's requests. The SDK rejects other ones, such as sampling and elicitation. */
function serve(client: Client, { toolsChanged, roots }: McpCallbacks): void {
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots()] }));
}

/** The SDK's transport to a server, with the user's sign-in where there is one. */
async function sdkTransport(
  { transport }: McpServer,
  { roots }: McpCallbacks,
  authProvider: OAuthClientProvider | null,
): Promise<ServerTransport> {
  if (transport.type === "stdio") {
    const { command, args, env, cwd } = transport;
    const folders = roots().map(({ uri }) => fileURLToPath(uri));
    // The SDK looks up the command there, and a script the program that runs it.
    const outside = await pathOutside(folders);
    const plain = Object.entries(serverEnvironment()).map(
      ([name, value]) => [name, name.toUpperCase() === "PATH" ? outside : value] as const,
    );
    const set = Object.entries({ ...Object.fromEntries(plain), ...env }).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return childTransport({ command, args, env: Object.fromEntries(set), cwd: cwd ?? homedir() });
  }
  const options = {
    requestInit: { headers: { ...transport.headers } },
    fetch: readableFetch,
    ...(authProvider && { authProvider }),
  };
  const HttpTransport =
    transport.type === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  return { transport: new HttpTransport(new URL(transport.url), options), complaint: () => "" };
}

async function allTools(client: Client, signal: AbortSignal): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const raw = await client.request({ method: "tools/list", params }, ResultSchema, {
      signal,
      timeout: NO_LIMIT,
    });
    const { tools: found, nextCursor } = z.parse(pageSchema, raw);
    tools.push(...found);
    cursor = nextCursor ?? undefined;
    if (cursor === undefined || cursor === "") break;
  }
  return tools;
}
