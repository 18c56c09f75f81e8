import * as vscode from "vscode";
import { sentence } from "../../base/sentence.ts";
import type { McpServers } from "../../tools/mcp/mcpServers.ts";
import type { Tool } from "../../tools/tool.ts";
import { mcpFileOf } from "./mcpFileOf.ts";

/** The tools of MCP servers for each turn. */
export interface TurnTools {
  /** Never rejects. */
  tools(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Ends the servers. */
  dispose(): Promise<void>;
}

/** `load` brings in what MCP needs when a server is defined; null where none can run. */
export function createTurnTools(load: (() => Promise<McpServers>) | null): TurnTools {
  let loaded: Promise<McpServers> | null = null;
  let told = false;
  const tell = (sentence: string) => {
    if (!told) void vscode.window.showWarningMessage(sentence);
    told = true;
  };
  return {
    async tools(signal) {
      if (!loaded && !(await isAnyDefined())) return [];
      if (!load) {
        tell("MCP servers are defined, but they are not available in the browser.");
        return [];
      }
      try {
        loaded ??= load();
        return await (await loaded).tools(signal);
      } catch (error) {
        tell(`MCP servers are not available: ${sentence(error)}`);
        return [];
      }
    },
    dispose: async () => (await loaded?.catch(() => null))?.dispose(),
  };
}

async function isAnyDefined(): Promise<boolean> {
  const own = vscode.workspace.getConfiguration("graft").get<unknown>("mcp.servers");
  if (typeof own === "object" && own !== null && Object.keys(own).length > 0) return true;
  const files = (vscode.workspace.workspaceFolders ?? []).map(mcpFileOf);
  const found = await Promise.all(files.map((uri) => Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => null)));
  return found.some((stat) => stat !== null);
}
