import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError, ResultSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ConnectMcp, McpConnection, McpFailure, McpServer } from "../../ports/mcp.ts";
import { childEnvironment } from "../childEnvironment.ts";
import { childTransport } from "./childTransport.ts";

/** Calls have their limit from their caller; this is the longest that a timer can hold, in milliseconds. */
const NO_LIMIT = 2_147_483_647;
/** How long a server may take to hear of the end of its session, in milliseconds. */
const FAREWELL_MS = 1_000;
const MAX_PAGES = 20;

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) });

/** Connects to MCP servers with the SDK; a server of the type `stdio` is a process that runs in `folder` unless it says otherwise. */
export function createMcpConnector(folder: string): ConnectMcp {
  return async (server, onToolsChanged, signal) => {
    try {
      const first = await open(transportOf(server, folder), onToolsChanged, signal);
      if (first.ok || server.transport.type !== "http" || !first.error.older) return first.ok ? first : err(first.error.message);
      // Servers from before 2025 speak the older of the two protocols at such an address.
      const older = { ...server, transport: { ...server.transport, type: "sse" as const } };
      const second = await open(transportOf(older, folder), onToolsChanged, signal);
      return second.ok ? second : err(first.error.message);
    } catch (error) {
      return err(sentence(error));
    }
  };
}

interface Opening {
  readonly transport: Transport;
  complaint(): string;
  /** Tells a server that keeps sessions that this one is over. */
  farewell(): Promise<void>;
}

async function open(
  { transport, complaint, farewell }: Opening,
  onToolsChanged: () => void,
  signal: AbortSignal,
): Promise<Result<McpConnection, { readonly message: string; readonly older: boolean }>> {
  const client = new Client({ name: "graft", version: "0.1.0" }, { capabilities: {} });
  const why = () => (complaint() === "" ? "the connection ended." : `the connection ended. It wrote: ${complaint()}`);
  const closed = new Promise<string>((resolve) => {
    client.onclose = () => resolve(why());
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
  try {
    const connected = await untilAborted(client.connect(transport, { signal, timeout: NO_LIMIT }), signal);
    if (!connected.ok) throw new Error("it was given up.");
  } catch (error) {
    await transport.close().catch(() => undefined);
    const older = error instanceof StreamableHTTPError && (error.code === 404 || error.code === 405 || error.code === 400);
    return err({ message: complaint() === "" ? sentence(error) : `${sentence(error)} It wrote: ${complaint()}`, older });
  }
  return ok({
    closed,
    listTools: (during) => attempt(why, () => allTools(client, during)),
    callTool: (name, args, onProgress, during) =>
      attempt(why, () =>
        client.request({ method: "tools/call", params: { name, arguments: args } }, ResultSchema, {
          signal: during,
          timeout: NO_LIMIT,
          onprogress: ({ progress, total, message }) =>
            onProgress(`${[total === undefined ? String(progress) : `${progress} of ${total}`, message].filter(Boolean).join(": ")}\n`),
        }),
      ),
    ping: async (during) => (await attempt(why, () => client.ping({ signal: during, timeout: NO_LIMIT }))).ok,
    async close() {
      await farewell();
      await client.close().catch(() => undefined);
    },
  });
}

function transportOf({ transport }: McpServer, folder: string): Opening {
  if (transport.type === "stdio") {
    const { command, args, env, cwd } = transport;
    const set = Object.entries({ ...childEnvironment(), ...env }).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return { ...childTransport({ command, args, env: Object.fromEntries(set), cwd: cwd ?? folder }), farewell: async () => undefined };
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

/** `why` says why the connection is over. */
async function attempt<T>(why: () => string, work: () => Promise<T>): Promise<Result<T, McpFailure>> {
  try {
    return ok(await work());
  } catch (error) {
    const over = error instanceof McpError && error.code === ErrorCode.ConnectionClosed;
    return err({ kind: isRefusal(error) ? "refused" : "broken", message: over ? why() : sentence(error) });
  }
}

/** The server answered, with an error. */
function isRefusal(error: unknown): boolean {
  return error instanceof McpError && error.code !== ErrorCode.ConnectionClosed && error.code !== ErrorCode.RequestTimeout;
}

function sentence(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).trim().slice(0, 500);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
