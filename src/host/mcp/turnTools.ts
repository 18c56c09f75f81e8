import * as vscode from "vscode";
import type { McpServers } from "../../tools/mcp/mcpServers.ts";
import type { Tool } from "../../tools/tool.ts";

/** The tools of MCP servers for each turn. */
interface TurnTools {
  /** Reports once that defined servers are not available: why they failed to load, or null in the browser. Never rejects. */
  tools(signal: AbortSignal, unavailable: (detail: string | null) => void): Promise<readonly Tool[]>;
  /** Ends the servers. */
  dispose(): Promise<void>;
}

/** `load` loads MCP support when the first server is defined; null where no server can run. */
export function createTurnTools(load: (() => Promise<McpServers>) | null): TurnTools {
  let loaded: Promise<McpServers> | null = null;
  let told = false;
  return {
    async tools(signal, unavailable) {
      if (!loaded && !(await isAnyDefined())) return [];
      const none = (detail: string | null) => {
        if (!told) unavailable(detail);
        told = true;
        return [];
      };
      if (!load) return none(null);
      try {
        loaded ??= load();
        return await (await loaded).tools(signal);
      } catch (error) {
        return none(error instanceof Error ? error.message : String(error));
      }
    },
    dispose: async () => (await loaded?.catch(() => null))?.dispose(),
  };
}

/** Where a workspace folder defines its MCP servers. */
export function mcpFileOf(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
}

async function isAnyDefined(): Promise<boolean> {
  const own = vscode.workspace.getConfiguration("graft").get<unknown>("mcp.servers");
  if (typeof own === "object" && own !== null && Object.keys(own).length > 0) return true;
  const files = (vscode.workspace.workspaceFolders ?? []).map(mcpFileOf);
  const found = await Promise.all(files.map((uri) => Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => null)));
  return found.some((stat) => stat !== null);
}
