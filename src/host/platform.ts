import type * as vscode from "vscode";
import type { EventLogStorage } from "../ports/eventLog.ts";
import type { Question } from "../ports/question.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { MachineTools } from "../tools/machineTools.ts";
import type { McpServers } from "../tools/mcp/mcpServers.ts";
import type { LocalDisk } from "./workspacePath.ts";
import type { FolderSearch } from "./workspaceSearch.ts";

/** In what the desktop and the browser differ; each entry file gives its own. */
export interface Platform {
  /** OPENAI_API_KEY of the environment, or null. */
  readonly environmentKey: string | null;
  /** The adapters, loaded on first use. */
  adapters(): Promise<PlatformAdapters>;
}

/** What stands on the machine's own facilities. */
export interface PlatformAdapters {
  /** Logs in a folder of the extension's storage, which is created when needed. */
  eventLogs(folder: vscode.Uri): EventLogStorage;
  readonly disk: LocalDisk | null;
  /** Null where no program can be run. */
  readonly folderSearch: FolderSearch | null;
  /** The tools for git and commands; null where no process can be started. */
  readonly processes: ((workspace: Workspace) => MachineTools) | null;
  /** Loads what MCP needs; null where no server can be reached. */
  readonly mcp: ((context: vscode.ExtensionContext, question: Question) => Promise<McpServers>) | null;
}
