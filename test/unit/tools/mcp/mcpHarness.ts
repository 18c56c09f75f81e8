import { readFileSync } from "node:fs";
import path from "node:path";
import { disposable } from "../../../../src/base/disposable.ts";
import { connectMcp } from "../../../../src/node/mcp/connectMcp.ts";
import type { McpServer } from "../../../../src/ports/mcp.ts";
import { type McpOptions, McpServers } from "../../../../src/tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../../../../src/tools/mcp/messages.ts";
import type { Tool, ToolContext } from "../../../../src/tools/tool.ts";
import { toolResultText } from "../../../../src/tools/toolResultText.ts";
import { createToolRouter } from "../../../../src/tools/toolRouter.ts";
import type { TurnEventBody } from "../../../../src/turns/turnEvent.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { bundledScript } from "../../../fakes/bundledScript.ts";
import { runCall } from "../../../fakes/runCall.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const root = process.cwd();

/**
 * Starts the small MCP server of the fakes as real processes, each with a log; everything is ended
 * after each test. To be used in a `describe`.
 */
export function mcpHarness() {
  let folder: TempFolder;
  let open: McpServers[] = [];
  before(async () => {
    folder = await tempFolder();
  });
  afterEach(async () => {
    await Promise.all(open.map((servers) => servers.dispose()));
    open = [];
  });
  after(() => folder.remove());
  const logFile = (name: string) => path.join(folder.root, `${name}.log`);
  return {
    get folder() {
      return folder.root;
    },
    /** What the server has logged. */
    lines: (name: string) => readFileSync(logFile(name), "utf8").trim().split("\n"),
    stdio(name: string, ...args: readonly string[]): McpServer {
      const env = { MCP_LOG: logFile(name) };
      const transport = {
        type: "stdio" as const,
        command: process.execPath,
        args: [bundledScript("test/fakes/mcp/mcpServer.ts"), ...args],
        env,
        cwd: root,
      };
      return { name, transport, secrets: [], definition: name, own: true };
    },
    start(servers: readonly McpServer[], more: Partial<McpOptions> = {}) {
      const problems: string[] = [];
      const mcp = new McpServers({
        connect: connectMcp,
        roots: () => [],
        tell: (problem) => void problems.push(mcpProblemMessage(problem)),
        // A busy machine may take longer to start a server than a turn waits for it.
        waitMs: 120_000,
        ...more,
        servers: async (signal) => (await more.servers?.(signal)) ?? servers,
      });
      open.push(mcp);
      return { mcp, problems, tools: () => mcp.tools(new AbortController().signal) };
    },
  };
}

/** What a call may use, with the events it emits. */
export function toolContext(
  signal = new AbortController().signal,
): ToolContext & { readonly events: TurnEventBody[] } {
  const events: TurnEventBody[] = [];
  const streams = { register: () => disposable(() => undefined) };
  return { turnId: "t", callId: "c", signal, emit: (event) => events.push(event), streams, events };
}

/** Calls a tool through the router; what the model is told. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: object = {},
  used = toolContext(),
): Promise<string> {
  return toolResultText(
    await runCall(
      createToolRouter(tools, allowAll),
      { callId: "c", name, argsText: JSON.stringify(args) },
      used,
    ),
  );
}
