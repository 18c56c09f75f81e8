import { Deadline } from "../../base/deadline.ts";
import { pause } from "../../base/pause.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ConnectMcp, McpConnection, McpElicitation, McpRoot, McpServer } from "../../ports/mcp.ts";
import type { Question } from "../../ports/question.ts";
import { failed } from "../messages.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { McpCall } from "./mcpCall.ts";
import { mcpResult } from "./mcpResult.ts";
import { type McpToolInfo, parseMcpTool } from "./mcpTool.ts";
import { hideSecrets } from "./secrets.ts";

/** How long a server may take to start or to list its tools, and to answer a ping, in milliseconds. */
const START_MS = 60_000;
const PING_MS = 3_000;
/** The shortest time between two requests for the list of tools, in milliseconds. */
const LIST_PAUSE_MS = 1_000;
/** How often in a row a server is started without a successful call. */
const MAX_STARTS = 3;

/** What all servers share. */
export interface McpClientOptions {
  readonly connect: ConnectMcp;
  roots(): readonly McpRoot[];
  /** Null when non-interactive. */
  readonly question: Question | null;
  /** The time limit of a call, in milliseconds. */
  readonly callMs: number;
}

/** One MCP server, started at its first use and restarted a few times when it ends or stops responding. */
export class McpClient {
  readonly server: McpServer;
  private readonly surroundings: McpClientOptions;
  private readonly running = new Set<McpCall>();
  private readonly ending = new AbortController();
  private connection: Promise<Result<McpConnection, string>> | null = null;
  private starts = 0;
  /** A call was cancelled, so the next one pings the server first. */
  private doubtful = false;
  private listing = false;
  private outdated = false;
  private listed: readonly McpToolInfo[] | null = null;
  private toldRoots = "";

  constructor(server: McpServer, surroundings: McpClientOptions) {
    this.server = server;
    this.surroundings = surroundings;
  }

  /** The tools that the server listed last; null before it did. They stay when it ends, since a call restarts it. */
  get tools(): readonly McpToolInfo[] | null {
    return this.listed;
  }

  /** Starts the server unless it runs. The error is a sentence. */
  async start(): Promise<Result<null, string>> {
    const connected = await this.connected();
    return connected.ok ? ok(null) : connected;
  }

  /** Calls a tool by the server's own name for it. Hides the server's secrets in the result. */
  async call(tool: string, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult> {
    const { signal } = context;
    if (this.doubtful) await this.endIfSilent();
    const connected = await untilAborted(this.connected(), signal);
    if (!connected.ok) return failed("cancelled", { tool, begun: false });
    if (!connected.value.ok) return failed("server-not-running", { detail: connected.value.error });
    const connection = connected.value.value;
    const call = new McpCall(this.server, context, this.surroundings.callMs);
    this.running.add(call);
    try {
      const result = await connection.callTool(tool, args, (text) => call.progressed(text), call.signal);
      if (call.signal.aborted) {
        this.doubtful = true;
        const seconds = this.surroundings.callMs / 1000;
        return call.expired
          ? failed("timed-out", { tool, seconds, advice: "Try again with a smaller task." })
          : failed("cancelled", { tool, begun: true });
      }
      if (result.ok) {
        this.starts = 0;
        return this.hidden(mcpResult(tool, result.value));
      }
      const { kind, message: detail } = result.error;
      const server = this.server.name;
      if (kind === "refused") return failed("server-refused", { tool, server, detail });
      this.connection = null;
      await connection.close();
      return failed("server-lost", { server, detail });
    } finally {
      this.running.delete(call);
      call.dispose();
    }
  }

  /** Tells a running server when the roots have changed. */
  async tellRoots(): Promise<void> {
    const roots = JSON.stringify(this.surroundings.roots());
    if (roots === this.toldRoots) return;
    const connected = await this.connection;
    if (!connected?.ok) return;
    this.toldRoots = roots;
    await connected.value.rootsChanged();
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
    if (this.starts >= MAX_STARTS)
      return err(`The MCP server ${name} ended or failed ${MAX_STARTS} times in a row, so Graft no longer starts it.`);
    this.starts += 1;
    const limit = new Deadline(this.ending.signal);
    limit.restart(START_MS);
    let opened: McpConnection | null = null;
    try {
      this.toldRoots = JSON.stringify(this.surroundings.roots());
      const connected = await this.surroundings.connect(
        this.server,
        {
          toolsChanged: () => void this.listAgain(),
          roots: () => this.surroundings.roots(),
          elicit: this.surroundings.question && ((request, signal) => this.elicit(request, signal)),
        },
        limit.signal,
      );
      if (!connected.ok) return this.notOpen(limit.expired ? "it timed out." : connected.error);
      opened = connected.value;
      const tools = await opened.listTools(limit.signal);
      if (!tools.ok) {
        await opened.close();
        return this.notOpen(limit.expired ? "listing its tools timed out." : tools.error.message);
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

  /** Lists the tools again after the server reported a change, at a limited rate. */
  private async listAgain(): Promise<void> {
    this.outdated = true;
    if (this.listing) return;
    this.listing = true;
    while (this.outdated && !this.ending.signal.aborted) {
      this.outdated = false;
      await this.list();
      await pause(LIST_PAUSE_MS, this.ending.signal);
    }
    this.listing = false;
  }

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
    const known = new Map<string, McpToolInfo>();
    for (const raw of tools) {
      const tool = parseMcpTool(raw);
      if (tool && !known.has(tool.name)) known.set(tool.name, tool);
    }
    this.listed = [...known.values()];
  }

  /** Assigns the request to the last call, since a server does not say which one it is for. Cancels it outside of calls. */
  private async elicit(request: unknown, signal: AbortSignal): Promise<Result<McpElicitation, string>> {
    const call = [...this.running].at(-1);
    const { question } = this.surroundings;
    return call && question ? call.elicit(request, question, signal) : ok({ action: "cancel" });
  }

  private hidden(result: ToolResult): ToolResult {
    const { secrets } = this.server;
    if (result.ok) return { ok: true, output: hideSecrets(result.output, secrets) };
    return { ok: false, error: { ...result.error, message: hideSecrets(result.error.message, secrets) } };
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
