import { Deadline } from "../../base/deadline.ts";
import { pause } from "../../base/pause.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sentence } from "../../base/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ConnectMcp, McpConnection, McpElicitation, McpRoot, McpServer } from "../../ports/mcp.ts";
import type { Question } from "../../ports/question.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { McpCall } from "./mcpCall.ts";
import { mcpResult } from "./mcpResult.ts";
import { type McpToolInfo, parseMcpTool } from "./mcpTool.ts";
import { withoutSecrets } from "./withoutSecrets.ts";

/** How long a server may take to start and to list its tools, and to answer when asked whether it is still there, in milliseconds. */
const START_MS = 60_000;
const PING_MS = 3_000;
/** How long after a list of the tools the next one is asked for at the earliest, in milliseconds. */
const LIST_PAUSE_MS = 1_000;
/** How often in a row a server is started without a call that succeeds. */
const MAX_STARTS = 3;

/** What all servers have in common. */
export interface McpSurroundings {
  readonly connect: ConnectMcp;
  roots(): readonly McpRoot[];
  /** Null where nobody can be asked. */
  readonly question: Question | null;
  /** The time limit of a call, in milliseconds. */
  readonly callMs: number;
}

/** One MCP server: started when it is first needed, and again, a few times, when it has ended or does not answer any more. */
export class McpClient {
  readonly server: McpServer;
  private readonly surroundings: McpSurroundings;
  private readonly running = new Set<McpCall>();
  private readonly ending = new AbortController();
  private connection: Promise<Result<McpConnection, string>> | null = null;
  private starts = 0;
  /** A call was given up: before the next one the server has to show that it still answers. */
  private doubtful = false;
  private listing = false;
  private outdated = false;
  private listed: readonly McpToolInfo[] | null = null;
  private toldRoots = "";

  constructor(server: McpServer, surroundings: McpSurroundings) {
    this.server = server;
    this.surroundings = surroundings;
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

  /** Calls a tool by the name the server knows. What the server's secrets are is hidden in the result. */
  async call(tool: string, args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult> {
    const { signal } = context;
    if (this.doubtful) await this.endIfSilent();
    const connected = await untilAborted(this.connected(), signal);
    if (!connected.ok) return failed("cancelled", `${tool} was cancelled.`);
    if (!connected.value.ok) return failed("execution", connected.value.error);
    const connection = connected.value.value;
    const call = new McpCall(this.server, context, this.surroundings.callMs);
    this.running.add(call);
    try {
      const result = await connection.callTool(tool, args, (text) => call.progressed(text), call.signal);
      if (call.signal.aborted) {
        this.doubtful = true;
        return call.expired ? tookTooLong(tool, this.surroundings.callMs) : failed("cancelled", `${tool} was cancelled.`);
      }
      if (result.ok) {
        this.starts = 0;
        return this.hidden(mcpResult(tool, result.value));
      }
      const { kind, message } = result.error;
      if (kind === "refused") return failed("execution", `${tool} was refused by the MCP server ${this.server.name}: ${sentence(message)}`);
      this.connection = null;
      await connection.close();
      return failed("network", `The MCP server ${this.server.name} broke off: ${message} It is started again when it is next used.`);
    } finally {
      this.running.delete(call);
      call.dispose();
    }
  }

  /** Tells the server, if it runs, about roots that are others than it was told last. */
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
    if (this.starts >= MAX_STARTS) return err(`The MCP server ${name} ended or failed ${MAX_STARTS} times in a row and is left alone.`);
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

  /** Lists the tools again, because the server says that they have changed; however often it does, seldom. */
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

  /** A server does not say for which call it asks: it is taken to be the last one. Outside of a call there is nobody to ask. */
  private async elicit(request: unknown, signal: AbortSignal): Promise<Result<McpElicitation, string>> {
    const call = [...this.running].at(-1);
    const { question } = this.surroundings;
    return call && question ? call.elicit(request, question, signal) : ok({ action: "cancel" });
  }

  private hidden(result: ToolResult): ToolResult {
    const { secrets } = this.server;
    if (result.ok) return { ok: true, output: withoutSecrets(result.output, secrets) };
    return { ok: false, error: { ...result.error, message: withoutSecrets(result.error.message, secrets) } };
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

function tookTooLong(tool: string, ms: number): ToolResult {
  const message = `${tool} was stopped because it took longer than ${ms / 1000} seconds.`;
  return { ok: false, error: { category: "timeout", message, recovery: "Try again with a smaller task." } };
}

function failed(category: "cancelled" | "execution" | "network", message: string): ToolResult {
  return { ok: false, error: { category, message, recovery: null } };
}
