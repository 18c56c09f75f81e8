import { withDeadline } from "../../base/deadline.ts";
import type { Result } from "../../base/result.ts";
import type { McpProblem, McpServer } from "../../ports/mcp.ts";
import type { Tool } from "../tool.ts";
import { McpClient, type McpClientOptions } from "./mcpClient.ts";
import { createMcpTool, mcpToolName } from "./mcpTool.ts";

/** How long a turn waits for starting servers, and the time limit of a call, in milliseconds. */
const WAIT_MS = 10_000;
const CALL_MS = 120_000;
/**
 * OpenAI accepts 128 functions, including Graft's own:
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools
 */
const MAX_TOOLS = 88;
/** The most JSON that the descriptions of all tools may take in a request. */
const MAX_LENGTH = 200_000;

/** What the servers of a chat need. */
export interface McpOptions extends Omit<McpClientOptions, "callMs"> {
  /**
   * The servers that may run now, in a stable order. Called at the start of each turn; never
   * rejects.
   */
  servers(signal: AbortSignal): Promise<readonly McpServer[]>;
  /** Tells the user why a server does not run. May repeat itself. */
  tell(problem: McpProblem): void;
  /** Default {@link WAIT_MS}. */
  readonly waitMs?: number;
  /** Default {@link CALL_MS}. */
  readonly callMs?: number;
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

  /** The tools of all servers for one turn. Slow servers join in a later turn. Never rejects. */
  async tools(signal: AbortSignal): Promise<readonly Tool[]> {
    await this.follow(await this.options.servers(signal));
    const { waitMs = WAIT_MS, tell } = this.options;
    const starting = new Set(this.clients.filter(({ upToDate }) => !upToDate));
    const started = [...starting].map(async (client) => {
      await this.start(client);
      starting.delete(client);
    });
    const ready = await withDeadline(signal, waitMs, () => Promise.all(started));
    if (!ready.ok && !signal.aborted)
      for (const { server, tools } of starting)
        if (tools === null) tell({ code: "still-starting", name: server.name });
    return this.listed();
  }

  /** The prompts of the servers that were started, as commands `server:prompt`. */
  commands(): readonly { readonly name: string; readonly description: string }[] {
    return this.prompts().map(({ name, client, prompt }) => ({
      name,
      description: `${client.server.name}: ${prompt.description}`,
    }));
  }

  /** The text of a command's prompt, else why there is none; null where no server has it. */
  async prompt(
    name: string,
    words: string,
    signal: AbortSignal,
  ): Promise<Result<string, string> | null> {
    const found = this.prompts().find((each) => each.name === name);
    return found ? found.client.prompt(found.prompt, words, signal) : null;
  }

  private prompts() {
    return this.clients.flatMap((client) =>
      client.prompts.flatMap((prompt) => {
        const name = `${client.server.name}:${prompt.name}`;
        return /^[\w.:-]{1,64}$/.test(name) ? [{ name, client, prompt }] : [];
      }),
    );
  }

  /** Ends all servers with their processes. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await this.follow([]);
  }

  /**
   * Settles when a server has started and listed its tools, or failed; at once where an earlier
   * turn waited for its first start.
   */
  private async start(client: McpClient): Promise<void> {
    const isFirst = !this.waited.has(client);
    this.waited.add(client);
    const started = client.start();
    if (!isFirst && client.tools === null) return;
    const outcome = await started;
    if (isFirst && !outcome.ok && this.clients.includes(client)) this.options.tell(outcome.error);
  }

  private listed(): readonly Tool[] {
    const all = this.clients.flatMap((client) =>
      (client.tools ?? []).map((info) => ({ client, info })),
    );
    for (const { server, leftOut } of this.clients)
      if (leftOut.length > 0)
        this.options.tell({ code: "tools-left-out", name: server.name, tools: leftOut });
    const shown: typeof all = [];
    let length = 0;
    for (const each of all.slice(0, MAX_TOOLS)) {
      length += JSON.stringify(each.info).length;
      if (length <= MAX_LENGTH) shown.push(each);
    }
    if (all.length > shown.length)
      this.options.tell({ code: "too-many-tools", total: all.length, shown: shown.length });
    return shown.map(({ client, info }) =>
      createMcpTool(
        mcpToolName(client.server.name, info.name),
        client.server,
        info,
        (args, context) => client.call(info.name, args, context),
      ),
    );
  }

  /** Ends the servers that are no longer wanted, or wanted with another definition. */
  private async follow(wanted: readonly McpServer[]): Promise<void> {
    const before = this.clients;
    const servers = this.disposed ? [] : wanted;
    const { callMs = CALL_MS } = this.options;
    this.clients = servers.map(
      (server) =>
        before.find((client) => sameServer(client.server, server)) ??
        new McpClient(server, { ...this.options, callMs }),
    );
    await Promise.all(
      before.filter((client) => !this.clients.includes(client)).map((client) => client.close()),
    );
  }
}

function sameServer(a: McpServer, b: McpServer): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
