import * as vscode from "vscode";
import { thrownText } from "../../base/text/sentence.ts";
import { alwaysSaved, type SavedFiles } from "../../ports/savedFiles.ts";
import type { ServerPrompts } from "../../tools/mcp/mcpPrompt.ts";
import type { McpServers } from "../../tools/mcp/mcpServers.ts";
import type { Tool } from "../../tools/tool.ts";
import { withSavedFiles } from "../../tools/withSavedFiles.ts";
import { lookAt } from "../workspace/unlessMissing.ts";

/**
 * The tools of MCP servers for each turn. `load` loads MCP support when the first server is
 * defined; null where no server can run. What acts may look at the disk.
 */
export function createTurnTools(
  load: (() => Promise<McpServers>) | null,
  files: SavedFiles = alwaysSaved,
) {
  let loaded: Promise<McpServers> | null = null;
  let told = false;
  return {
    /**
     * Reports once that defined servers are not available: why they failed to load, or null in the
     * browser. Never rejects.
     */
    async tools(
      signal: AbortSignal,
      unavailable: (detail: string | null) => void,
    ): Promise<readonly Tool[]> {
      if (!loaded && !(await isAnyDefined())) return [];
      const none = (detail: string | null) => {
        if (!told) unavailable(detail);
        told = true;
        return [];
      };
      if (!load) return none(null);
      try {
        loaded ??= load();
        const tools = await (await loaded).tools(signal);
        return tools.map((tool) => (tool.effect === "read" ? tool : withSavedFiles(tool, files)));
      } catch (error) {
        return none(thrownText(error));
      }
    },
    /** The prompts of servers that were started. Never rejects. */
    prompts: {
      list: async () => (await loaded?.catch(() => null))?.commands() ?? [],
      get: async (name: string, words: string, signal: AbortSignal) =>
        (await loaded?.catch(() => null))?.prompt(name, words, signal) ?? null,
    } satisfies ServerPrompts,
    /** Ends the servers. */
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
  const found = await Promise.all(files.map(lookAt));
  return found.some((stat) => stat !== null);
}
