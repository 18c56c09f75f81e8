import * as vscode from "vscode";
import { sentence } from "../../base/sentence.ts";
import type { McpServers } from "../../tools/mcp/mcpServers.ts";
import type { Tool } from "../../tools/tool.ts";
import { mcpFileOf } from "./mcpFileOf.ts";

/** The tools of MCP servers for each turn. */
export interface TurnTools {
  /** Tells once why there are none where some are defined. Never rejects. */
  tools(signal: AbortSignal, tell: (sentence: string) => void): Promise<readonly Tool[]>;
  /** Ends the servers. */
  dispose(): Promise<void>;
}

/** `load` brings in what MCP needs when a server is defined; null where none can run. */
export function createTurnTools(load: (() => Promise<McpServers>) | null): TurnTools {
  let loaded: Promise<McpServers> | null = null;
  let told = false;
  return {
    async tools(signal, tell) {
      if (!loaded && !(await isAnyDefined())) return [];
      const none = (why: string) => {
        if (!told) tell(`MCP servers are defined, but ${why}`);
        told = true;
        return [];
      };
      if (!load) return none("Graft cannot reach any in the browser. They are there when the folder is open in VS Code on a computer.");
      try {
        loaded ??= load();
        return await (await loaded).tools(signal);
      } catch (error) {
        return none(`they are not available: ${sentence(error)}`);
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
