import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ConnectMcp, McpConnection, McpServer } from "../../ports/mcp.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { createToolProgress } from "../toolProgress.ts";
import { mcpResult } from "./mcpResult.ts";
import { type McpToolInfo, parseMcpTool } from "./mcpTool.ts";

/** How long a server may take to start and to list its tools, and to answer when asked whether it is still there, in milliseconds. */
const START_MS = 60_000;
const PING_MS = 3_000;
/** How often in a row a server is started without a call that succeeds. */
const MAX_STARTS = 3;
const MAX_TOOLS = 128;

/** One MCP server: started when it is first needed, and again, a few times, when it has ended or does not answer any more. */
export class McpClient {
  readonly server: McpServer;
  private readonly connect: ConnectMcp;
  private readonly ending = new AbortController();
  private connection: Promise<Result<McpConnection, string>> | null = null;
  private starts = 0;
  /** A call was given up: before the next one the server has to show that it still answers. */
  private doubtful = false;
  private listed: readonly McpToolInfo[] | null = null;

  constructor(server: McpServer, connect: ConnectMcp) {
    this.server = server;
    this.connect = connect;
  }

  /** The tools that the server listed last, null before it did; they stay when it ends, since it is started again for them. */
  get tools(): readonly McpToolInfo[] | null {
    return this.listed;
  }

  /** Starts the server if it does not run. The error is a sentence. */
  async start(): Promise<Result<null, string>> {
    const connected = await this.connected();
    return connected.ok ? ok(null) : connected;
  }

  /** Calls a tool by the name the server knows. */
  async call(tool: string, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult> {
    const { signal } = context;
    if (this.doubtful) await this.endIfSilent();
    const connected = await untilAborted(this.connected(), signal);
    if (!connected.ok) return failed("cancelled", `${tool} was cancelled.`);
    if (!connected.value.ok) return failed("execution", connected.value.error);
    const connection = connected.value.value;
    const progress = createToolProgress(context);
    try {
      const result = await connection.callTool(tool, args, (text) => progress.push(text), signal);
      if (signal.aborted) {
        this.doubtful = true;
        return failed("cancelled", `${tool} was cancelled.`);
      }
      if (result.ok) {
        this.starts = 0;
        return mcpResult(tool, result.value);
      }
      const { kind, message } = result.error;
      if (kind === "refused") return failed("execution", `${tool} was refused by the MCP server ${this.server.name}: ${message}`);
      this.connection = null;
      await connection.close();
      return failed("network", `The MCP server ${this.server.name} broke off: ${message} It is started again when it is next used.`);
    } finally {
      progress.dispose();
    }
  }

  /** Ends the server for good. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.end();
  }

  private connected(): Promise<Result<McpConnection, string>> {
    this.connection ??= this.open();
    return this.connection;
  }

  private async open(): Promise<Result<McpConnection, string>> {
    const { name } = this.server;
    if (this.starts >= MAX_STARTS) return err(`The MCP server ${name} ended or failed ${MAX_STARTS} times in a row and is left alone.`);
    this.starts += 1;
    const limit = new Deadline(this.ending.signal);
    limit.restart(START_MS);
    let opened: McpConnection | null = null;
    try {
      const connected = await this.connect(this.server, () => void this.list(), limit.signal);
      if (!connected.ok) return this.notOpen(limit.expired ? "it did not answer in time." : connected.error);
      opened = connected.value;
      const tools = await opened.listTools(limit.signal);
      if (!tools.ok) {
        await opened.close();
        return this.notOpen(limit.expired ? "it did not list its tools in time." : tools.error.message);
      }
      this.take(tools.value);
    } finally {
      limit.dispose();
    }
    const { connection } = this;
    void opened.closed.then(() => {
      if (this.connection === connection) this.connection = null;
    });
    return ok(opened);
  }

  private notOpen(why: string): Result<never, string> {
    this.connection = null;
    return err(`The MCP server ${this.server.name} could not be started: ${why}`);
  }

  /** Lists the tools again, because the server says that they have changed. */
  private async list(): Promise<void> {
    const connected = await this.connection;
    if (!connected?.ok) return;
    const limit = new Deadline(this.ending.signal);
    limit.restart(START_MS);
    const tools = await connected.value.listTools(limit.signal);
    limit.dispose();
    if (tools.ok) this.take(tools.value);
  }

  private take(tools: readonly unknown[]): void {
    this.listed = tools.slice(0, MAX_TOOLS).flatMap((raw) => parseMcpTool(raw) ?? []);
  }

  private async endIfSilent(): Promise<void> {
    this.doubtful = false;
    const connected = await this.connection;
    if (!connected?.ok) return;
    const limit = new Deadline(this.ending.signal);
    limit.restart(PING_MS);
    const alive = await connected.value.ping(limit.signal);
    limit.dispose();
    if (!alive) await this.end();
  }

  private async end(): Promise<void> {
    const { connection } = this;
    this.connection = null;
    const connected = await connection;
    if (connected?.ok) await connected.value.close();
  }
}

function failed(category: "cancelled" | "execution" | "network", message: string): ToolResult {
  return { ok: false, error: { category, message, recovery: null } };
}
