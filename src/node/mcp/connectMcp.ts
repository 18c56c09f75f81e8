import { homedir } from "node:os";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type ClientCapabilities,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sentence } from "../../base/text/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ConnectMcp, McpCallbacks, McpConnection, McpFailure, McpServer } from "../../ports/mcp.ts";
import { hideSecrets } from "../../tools/mcp/secrets.ts";
import { childEnvironment } from "../processes/childProcess.ts";
import { childTransport } from "./childTransport.ts";

/** The longest timer, in milliseconds. Callers set their own time limits. */
const NO_LIMIT = 2_147_483_647;
/** How long ending a session may take, in milliseconds. */
const FAREWELL_MS = 1_000;
const MAX_PAGES = 20;

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) });

/** Connects to a server with the SDK. Errors contain none of the server's secrets. */
export const connectMcp: ConnectMcp = async (server, callbacks, signal) => {
  const told = (message: string) => err(hideSecrets(message, server.secrets));
  try {
    const first = await open(server, callbacks, signal);
    if (first.ok) return first;
    if (server.transport.type !== "http" || !first.error.older) return told(first.error.message);
    // Servers from before 2025 use the older SSE protocol at the same address.
    const second = await open({ ...server, transport: { ...server.transport, type: "sse" } }, callbacks, signal);
    return second.ok ? second : told(second.error.refused ? second.error.message : first.error.message);
  } catch (error) {
    return told(explained(error));
  }
};

interface Opening {
  readonly transport: Transport;
  complaint(): string;
  /** Ends the session on a server that keeps sessions. */
  farewell(): Promise<void>;
}

interface OpeningError {
  readonly message: string;
  /** The server may use the older protocol. */
  readonly older: boolean;
  /** The server requires authorization. */
  readonly refused: boolean;
}

async function open(server: McpServer, callbacks: McpCallbacks, signal: AbortSignal): Promise<Result<McpConnection, OpeningError>> {
  const { transport, complaint, farewell } = transportOf(server);
  const client = new Client({ name: "graft", version: "0.1.0" }, { capabilities: capabilitiesOf(callbacks) });
  const why = () => (complaint() === "" ? "the connection ended." : `the connection ended. It wrote: ${sentence(complaint())}`);
  const closed = new Promise<string>((resolve) => {
    client.onclose = () => resolve(hideSecrets(why(), server.secrets));
  });
  serve(client, callbacks);
  const attempt = attemptFor(server, why);
  try {
    const connected = await untilAborted(client.connect(transport, { signal, timeout: NO_LIMIT }), signal);
    if (!connected.ok) throw new Error("it was cancelled.");
  } catch (error) {
    await transport.close().catch(() => undefined);
    const status = statusOf(error);
    const older = error instanceof StreamableHTTPError && (status === 404 || status === 405 || status === 400);
    return err({
      message: complaint() === "" ? explained(error) : `${explained(error)} It wrote: ${sentence(complaint())}`,
      older,
      refused: status === 401 || status === 403,
    });
  }
  return ok({
    closed,
    listTools: (during) => attempt(() => allTools(client, during)),
    callTool: (name, args, onProgress, during) =>
      attempt(() =>
        client.request({ method: "tools/call", params: { name, arguments: args } }, ResultSchema, {
          signal: during,
          timeout: NO_LIMIT,
          onprogress: ({ progress, total, message }) =>
            onProgress(`${[total === undefined ? String(progress) : `${progress} of ${total}`, message].filter(Boolean).join(": ")}\n`),
        }),
      ),
    rootsChanged: () => client.sendRootsListChanged().catch(() => undefined),
    ping: async (during) => (await attempt(() => client.ping({ signal: during, timeout: NO_LIMIT }))).ok,
    async close() {
      await farewell();
      await client.close().catch(() => undefined);
    },
  });
}

function capabilitiesOf({ elicit }: McpCallbacks): ClientCapabilities {
  return { roots: { listChanged: true }, ...(elicit && { elicitation: { form: {} } }) };
}

/** Handles the server's requests. The SDK refuses others, such as sampling. */
function serve(client: Client, { toolsChanged, roots, elicit }: McpCallbacks): void {
  client.setNotificationHandler(ToolListChangedNotificationSchema, toolsChanged);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots()] }));
  if (!elicit) return;
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
    const outcome = await elicit(params, signal);
    if (!outcome.ok) throw new McpError(ErrorCode.InvalidParams, outcome.error);
    if (outcome.value.action !== "accept") return { action: outcome.value.action };
    const content = Object.entries(outcome.value.content).map(
      ([name, value]) => [name, typeof value === "object" ? [...value] : value] as const,
    );
    return { action: "accept", content: Object.fromEntries(content) };
  });
}

function transportOf({ transport }: McpServer): Opening {
  if (transport.type === "stdio") {
    const { command, args, env, cwd } = transport;
    const set = Object.entries({ ...childEnvironment(), ...env }).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return { ...childTransport({ command, args, env: Object.fromEntries(set), cwd: cwd ?? homedir() }), farewell: async () => undefined };
  }
  const options = { requestInit: { headers: { ...transport.headers } } };
  const complaint = () => "";
  if (transport.type === "sse") {
    return { transport: new SSEClientTransport(new URL(transport.url), options), complaint, farewell: async () => undefined };
  }
  const http = new StreamableHTTPClientTransport(new URL(transport.url), options);
  return {
    transport: http,
    complaint,
    async farewell() {
      const limit = new Deadline(new AbortController().signal);
      limit.restart(FAREWELL_MS);
      await untilAborted(
        http.terminateSession().catch(() => undefined),
        limit.signal,
      );
      limit.dispose();
    },
  };
}

async function allTools(client: Client, signal: AbortSignal): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const raw = await client.request({ method: "tools/list", params }, ResultSchema, { signal, timeout: NO_LIMIT });
    const { tools: found, nextCursor } = z.parse(pageSchema, raw);
    tools.push(...found);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

/** Runs requests to the server. `why` explains a closed connection. */
function attemptFor(server: McpServer, why: () => string): <T>(work: () => Promise<T>) => Promise<Result<T, McpFailure>> {
  return async (work) => {
    try {
      return ok(await work());
    } catch (error) {
      const over = error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
      const message = hideSecrets(over ? why() : explained(error), server.secrets);
      return err({ kind: isRefusal(error) ? "refused" : "broken", message });
    }
  };
}

/** Whether the server responded with an error. */
function isRefusal(error: unknown): boolean {
  return error instanceof McpError && error.code !== ErrorCode.ConnectionClosed && error.code !== ErrorCode.RequestTimeout;
}

/** The status of an HTTP error, else null. */
function statusOf(error: unknown): number | null {
  if (error instanceof StreamableHTTPError || error instanceof SseError) return error.code ?? null;
  return null;
}

/** An error as a sentence. */
function explained(error: unknown): string {
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return `it requires signing in (HTTP ${status}), and Graft does not support OAuth. Use a header with a token instead, best from an input: "headers": { "Authorization": "Bearer \${input:token}" }.`;
  }
  return sentence((error instanceof Error ? error.message : String(error)).trim().slice(0, 500));
}
