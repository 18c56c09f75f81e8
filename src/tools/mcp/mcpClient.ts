import { Deadline, withDeadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type {
  ConnectMcp,
  McpCallbacks,
  McpConnection,
  McpProblem,
  McpRoot,
  McpServer,
} from "../../ports/mcp.ts";
import { failed } from "../messages.ts";
import { createToolProgress } from "../results/toolProgress.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { type McpPrompt, mcpPromptText, parseMcpPrompts, promptArguments } from "./mcpPrompt.ts";
import { mcpResult } from "./mcpResult.ts";
import { describedName, type McpToolInfo, parseMcpTool } from "./mcpTool.ts";
import { mcpProblemMessage } from "./messages.ts";
import { hideSecrets } from "./secrets.ts";

/** How long a server may take to start or to list its tools, in milliseconds. */
const START_MS = 60_000;

/** What all servers share. */
export interface McpClientOptions {
  readonly connect: ConnectMcp;
  readonly signIn?: McpCallbacks["signIn"];
  roots(): readonly McpRoot[];
  /** The time limit of a call, in milliseconds. */
  readonly callMs: number;
}

/**
 * One MCP server, started at its first use and restarted at its next use when it ended or a call
 * timed out.
 */
export class McpClient {
  readonly server: McpServer;
  private readonly surroundings: McpClientOptions;
  private readonly ending = new AbortController();
  private connection: Promise<Result<McpConnection, McpProblem>> | null = null;
  private outdated = false;
  private listed: readonly McpToolInfo[] | null = null;
  /** The names of the tools that it listed last and that cannot be used. */
  leftOut: readonly string[] = [];
  /** The prompts that it listed when it was started last. */
  prompts: readonly McpPrompt[] = [];

  constructor(server: McpServer, surroundings: McpClientOptions) {
    this.server = server;
    this.surroundings = surroundings;
  }

  /**
   * The tools that the server listed last; null before it did. They stay when it ends, since a call
   * restarts it.
   */
  get tools(): readonly McpToolInfo[] | null {
    return this.listed;
  }

  /** True when the server has listed its tools and reported no change since. */
  get upToDate(): boolean {
    return this.listed !== null && !this.outdated;
  }

  /** Starts the server unless it runs, and lists its tools again after a change. */
  async start(): Promise<Result<null, McpProblem>> {
    const connected = await this.connected();
    if (!connected.ok) return connected;
    if (this.outdated) {
      this.outdated = false;
      const tools = await withDeadline(this.ending.signal, START_MS, (signal) =>
        connected.value.listTools(signal),
      );
      if (tools.ok && tools.value.ok) this.takeTools(tools.value.value);
    }
    return ok(null);
  }

  /** Calls a tool by the server's own name for it. Hides the server's secrets in the result. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<ToolResult> {
    const { signal } = context;
    const connecting = this.connected();
    const connected = await untilAborted(connecting, signal);
    if (!connected.ok) return failed("cancelled", { tool, begun: false });
    if (!connected.value.ok)
      return failed("server-unavailable", { problem: connected.value.error });
    const connection = connected.value.value;
    const { callMs } = this.surroundings;
    const limit = new Deadline(signal);
    const progress = createToolProgress(context);
    const progressed = (text: string) => {
      progress.push(hideSecrets(text, this.server.secrets));
      limit.restart(callMs);
    };
    limit.restart(callMs);
    try {
      const result = await connection.callTool(tool, args, progressed, limit.signal);
      if (signal.aborted) return failed("cancelled", { tool, begun: true });
      if (limit.expired) {
        await this.end(connecting);
        return failed("timed-out", {
          tool,
          seconds: callMs / 1000,
          advice: "Try again with a smaller task.",
        });
      }
      if (result.ok) return this.hidden(mcpResult(tool, result.value));
      const { code, detail, wrote } = result.error;
      const server = this.server.name;
      if (code === "refused") return failed("server-refused", { tool, server, detail });
      await this.end(connecting);
      return failed("server-lost", { server, detail, wrote });
    } finally {
      limit.dispose();
      progress.dispose();
    }
  }

  /** The text of a prompt, with the words that the user gave; else why there is none. */
  async prompt(
    prompt: McpPrompt,
    words: string,
    signal: AbortSignal,
  ): Promise<Result<string, string>> {
    const connected = await this.connected();
    if (!connected.ok) return err(mcpProblemMessage(connected.error));
    const args = promptArguments(prompt, words);
    const got = await connected.value.prompts?.get(prompt.name, args, signal);
    if (got?.ok === false) return err(hideSecrets(got.error.detail, this.server.secrets));
    const text = mcpPromptText(got?.value);
    return text === null ? err("") : ok(text);
  }

  /** Ends the server for good. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.end(this.connection);
  }

  private connected(): Promise<Result<McpConnection, McpProblem>> {
    this.connection ??= this.openConnection();
    return this.connection;
  }

  private async openConnection(): Promise<Result<McpConnection, McpProblem>> {
    const { name } = this.server;
    const { connect, roots, signIn } = this.surroundings;
    const limit = new Deadline(this.ending.signal);
    limit.restart(START_MS);
    const toolsChanged = () => {
      this.outdated = true;
    };
    const opened = await connect(this.server, { toolsChanged, roots, signIn }, limit.signal);
    const tools = opened.ok ? await opened.value.listTools(limit.signal) : null;
    const prompts = opened.ok && tools?.ok ? await opened.value.prompts?.list(limit.signal) : null;
    const { expired } = limit;
    limit.dispose();
    if (opened.ok && tools?.ok) {
      this.takeTools(tools.value);
      this.prompts = prompts?.ok ? parseMcpPrompts(prompts.value) : [];
      const { connection } = this;
      void opened.value.closed.then(() => {
        if (this.connection === connection) this.connection = null;
      });
      return opened;
    }
    this.connection = null;
    if (opened.ok) await opened.value.close();
    if (expired) return err({ code: "start-timeout", name });
    return tools && !tools.ok
      ? err({ code: "not-started", name, detail: tools.error.detail, wrote: tools.error.wrote })
      : opened;
  }

  private takeTools(tools: readonly unknown[]): void {
    const known = new Map<string, McpToolInfo>();
    const leftOut: string[] = [];
    for (const [index, raw] of tools.entries()) {
      const tool = parseMcpTool(raw);
      if (!tool) leftOut.push(describedName(raw, index + 1));
      else if (!known.has(tool.name)) known.set(tool.name, tool);
    }
    this.listed = [...known.values()];
    this.leftOut = leftOut;
  }

  private hidden(result: ToolResult): ToolResult {
    const { secrets } = this.server;
    if (result.ok) return { ...result, output: hideSecrets(result.output, secrets) };
    return {
      ok: false,
      error: { ...result.error, message: hideSecrets(result.error.message, secrets) },
    };
  }

  private async end(connection: typeof this.connection): Promise<void> {
    if (this.connection === connection) this.connection = null;
    const connected = await connection;
    if (connected?.ok) await connected.value.close();
  }
}
