import type * as vscode from "vscode";
import type { Environment } from "../model/connections/environmentConnections.ts";
import type { AgentProgram, ToolServer } from "../ports/commands/chatAgent.ts";
import type { Git } from "../ports/commands/git.ts";
import type { EventLogStorage, SmallFiles } from "../ports/eventLog.ts";
import type { HostIdentity } from "../ports/hostIdentity.ts";
import type { McpServers } from "../tools/mcp/mcpServers.ts";
import type { ProcessSurroundings, ProcessTools } from "../tools/processTools.ts";
import type { Web } from "../tools/web/web.ts";
import type { VoiceSession } from "../voice/voiceSession.ts";
import type { NodeProgram } from "./guests/mcpDefinition.ts";
import type { ServeGuests } from "./guests/openGuestDoor.ts";
import type { AskAgreement } from "./mcp/mcpAgreements.ts";
import type { HostVoiceOptions } from "./voice/hostVoice.ts";
import type { FolderFiles } from "./workspace/listedFiles.ts";
import type { LocalDisk } from "./workspace/workspacePath.ts";
import type { FolderSearch } from "./workspace/workspaceSearch.ts";

/** What commands need of the window. */
export interface MachineSurroundings
  extends Required<
    Pick<ProcessSurroundings, "workspace" | "files" | "runChoice" | "offers" | "commandsChanged">
  > {
  /** False where nothing of the workspace may run. */
  isTrusted(): boolean;
  /** Proposes for agents that cannot work on the proposals; null where none can. */
  toolServer(): ToolServer | null;
  /** The secrets of the environment that commands get. */
  wanted(): readonly string[];
  /** The workspace's folders on this machine, as absolute paths. */
  folders(): readonly string[];
  /** The most that a copy of the workspace may hold, in megabytes. */
  copyLimit(): number;
}

/** The differences between desktop and browser. Each entry file provides its own. */
export interface Platform {
  /** The environment variables, or null in the browser. */
  readonly environment: Environment;
  /** Loads the adapters on first use. */
  adapters(): Promise<PlatformAdapters>;
  /** What agents outside need, which loads on first use. Null in the browser. */
  readonly agents: { readonly guests: ServeGuests; readonly node: NodeProgram } | null;
}

/** Adapters that depend on the machine. */
export interface PlatformAdapters {
  /** Logs in a folder of the extension's storage, which is created on demand. */
  eventLogs(folder: vscode.Uri): EventLogStorage;
  /** Small files in a folder of the extension's storage. */
  smallFiles(folder: vscode.Uri): SmallFiles;
  readonly identity: HostIdentity;
  readonly disk: LocalDisk | null;
  /** What system this is, and where git is. Null in the browser. */
  readonly machineFacts:
    | ((folders: readonly string[]) => Promise<{ system: string; git: string | null }>)
    | null;
  /** Null if no program can run. */
  readonly folderSearch: FolderSearch | null;
  /** Null where no program can be run. */
  readonly folderFiles: FolderFiles | null;
  /** Ends a process group with all descendants, of another host, too. Null where that cannot be. */
  readonly endGroup: ((leader: number) => Promise<void>) | null;
  /** Tools for git and commands. Null if no process can start. */
  readonly processes: ((surroundings: MachineSurroundings) => ProcessTools) | null;
  /** The agents of other makers on this machine; null where no program can run. */
  readonly findAgents: ((folders: readonly string[]) => Promise<readonly AgentProgram[]>) | null;
  /** Loads MCP support. Null if no server can run. */
  readonly mcp:
    | ((context: vscode.ExtensionContext, agree: AskAgreement) => Promise<McpServers>)
    | null;
  /** Git for what the user attaches. Null where no programs run; the Git extension serves there. */
  readonly git: Git | null;
  /**
   * Reads pages of the web; `allowed` names the private hosts that may be read. Null where that
   * cannot be checked.
   */
  readonly web: ((allowed: () => readonly string[]) => Web) | null;
  /** Loads voice. Null if no page can use a microphone. */
  readonly voice: ((options: HostVoiceOptions) => Promise<VoiceSession>) | null;
}
