import type * as vscode from "vscode";
import { type ActiveExtension, activate as activateGraft, type GraftApi } from "./host/activate.ts";

let active: ActiveExtension | null = null;

/** The entry for web workers, such as vscode.dev. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  active = activateGraft(context, {
    environment: null,
    async adapters() {
      const { createVscodeEventLogStorage } = await import("./host/chats/vscodeEventLog.ts");
      return {
        eventLogs: createVscodeEventLogStorage,
        disk: null,
        folderSearch: null,
        processes: null,
        mcp: null,
        voice: null,
        realtimeSocket: null,
      };
    },
  });
  return active.api;
}

/** Stops the running turn and writes the history before the window closes. */
export async function deactivate(): Promise<void> {
  await active?.deactivate();
}
