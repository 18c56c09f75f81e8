import type * as vscode from "vscode";
import type { Environment } from "../model/connections/environmentConnections.ts";
import type { EventLogStorage, SmallFiles } from "../ports/eventLog.ts";
import type { RunnerFiles } from "../ports/runnerFiles.ts";
import type { SavedFiles } from "../ports/savedFiles.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { McpServers } from "../tools/mcp/mcpServers.ts";
import type { ProcessTools } from "../tools/processTools.ts";
import type { VoiceSession } from "../voice/voiceSession.ts";
import type { AskAgreement } from "./mcp/mcpAgreements.ts";
import type { HostVoiceOptions } from "./voice/hostVoice.ts";
import type { LocalDisk } from "./workspace/workspacePath.ts";
import type { FolderSearch } from "./workspace/workspaceSearch.ts";

/** What differs between the desktop and the browser; each entry file provides its own. */
export interface Platform {
  /** The variables of the environment; null in the browser. */
  readonly environment: Environment;
  /** The adapters, loaded on first use. */
  adapters(): Promise<PlatformAdapters>;
}

/** The adapters that depend on the machine. */
export interface PlatformAdapters {
  /** Logs in a folder of the extension's storage, which is created when needed. */
  eventLogs(folder: vscode.Uri): EventLogStorage;
  /** Small files in a folder of the extension's storage. */
  smallFiles(folder: vscode.Uri): SmallFiles;
  readonly disk: LocalDisk | null;
  /** The files that decide what commands run; null where none can. */
  readonly runnerFiles: ((workspace: Workspace) => RunnerFiles) | null;
  /** Null where no program can be run. */
  readonly folderSearch: FolderSearch | null;
  /** The tools for git and commands, which get the `wanted` secrets of the environment; null where no process can start. */
  readonly processes: ((workspace: Workspace, files: SavedFiles, wanted: () => readonly string[]) => ProcessTools) | null;
  /** Loads MCP support; null where no server can run. */
  readonly mcp: ((context: vscode.ExtensionContext, agree: AskAgreement) => Promise<McpServers>) | null;
  /** Loads voice; null where no page can have a microphone. */
  readonly voice: ((options: HostVoiceOptions) => Promise<VoiceSession>) | null;
}
