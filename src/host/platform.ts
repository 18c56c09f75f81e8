import type * as vscode from "vscode";
import type { EventLogStorage } from "../ports/eventLog.ts";
import type { CompileMatcher } from "../ports/lineMatcher.ts";
import type { LocalDisk } from "./workspacePath.ts";

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
  readonly compileMatcher: CompileMatcher;
}
