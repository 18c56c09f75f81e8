import type * as vscode from "vscode";
import { activate as activateGraft, type GraftApi } from "./host/activate.ts";

export { deactivate } from "./host/activate.ts";

/** The entry for web workers, such as vscode.dev. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  return activateGraft(context, {
    environment: null,
    async adapters() {
      const { createVscodeEventLogStorage, createVscodeSmallFiles } = await import("./host/chats/vscodeEventLog.ts");
      return {
        eventLogs: createVscodeEventLogStorage,
        smallFiles: createVscodeSmallFiles,
        disk: null,
        folderSearch: null,
        runnerFiles: null,
        processes: null,
        mcp: null,
        voice: null,
      };
    },
  });
}
