import { Deadline } from "../../base/deadline.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ConnectMcp, McpServer } from "../../ports/mcp.ts";
import type { Tool } from "../tool.ts";
import { McpClient } from "./mcpClient.ts";
import { createMcpTool } from "./mcpTool.ts";
import { mcpToolName } from "./mcpToolName.ts";

/** How long a turn waits for servers that are starting, in milliseconds. */
const WAIT_MS = 10_000;

/** What the servers of a chat need. */
export interface McpOptions {
  /** The servers that may run now, in a stable order; asked for at the start of each turn. Never rejects. */
  servers(): Promise<readonly McpServer[]>;
  readonly connect: ConnectMcp;
  /** Tells the user why a server does not run; the same sentence may come again. */
  tell(problem: string): void;
  /** Default {@link WAIT_MS}. */
  readonly waitMs?: number;
}

/** The MCP servers, started when a turn first needs their tools. */
export class McpServers {
  private readonly options: McpOptions;
  private clients: readonly McpClient[] = [];
  private readonly waited = new WeakSet<McpClient>();
  private disposed = false;

  constructor(options: McpOptions) {
    this.options = options;
  }

  /** The tools of all servers for one turn. Those that take long to start join in a later one; never rejects. */
  async tools(signal: AbortSignal): Promise<readonly Tool[]> {
    await this.follow(await this.options.servers());
    const limit = new Deadline(signal);
    limit.restart(this.options.waitMs ?? WAIT_MS);
    const started = this.clients.filter(({ tools }) => tools === null).map((client) => this.start(client));
    await untilAborted(Promise.all(started), limit.signal);
    limit.dispose();
    return this.listed();
  }

  /** Ends all servers with their processes. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await this.follow([]);
  }

  /** Settles when a server runs or does not; at once for one that an earlier turn has waited for. */
  private async start(client: McpClient): Promise<void> {
    const started = client.start().then((outcome) => {
      if (!outcome.ok && this.clients.includes(client)) this.options.tell(outcome.error);
    });
    if (this.waited.has(client)) return;
    this.waited.add(client);
    await started;
  }

  private listed(): readonly Tool[] {
    const names = new Set<string>();
    return this.clients.flatMap((client) =>
      (client.tools ?? []).map((info) => {
        const name = mcpToolName(client.server.name, info.name, names);
        names.add(name);
        return createMcpTool(name, client.server.name, info, (args, context) => client.call(info.name, args, context));
      }),
    );
  }

  /** Ends the servers that are wanted no more, or in another way. */
  private async follow(wanted: readonly McpServer[]): Promise<void> {
    const before = this.clients;
    const servers = this.disposed ? [] : wanted;
    this.clients = servers.map(
      (server) => before.find((client) => sameServer(client.server, server)) ?? new McpClient(server, this.options.connect),
    );
    await Promise.all(before.filter((client) => !this.clients.includes(client)).map((client) => client.close()));
  }
}

function sameServer(a: McpServer, b: McpServer): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
