import type * as vscode from "vscode";
import { activateGraft, type GraftApi } from "./host/activate.ts";

export { deactivate } from "./host/activate.ts";

/** The entry for web workers, such as vscode.dev. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  return activateGraft(context, {
    environment: null,
    agents: null,
    async adapters() {
      const { createVscodeEventLogStorage, createVscodeSmallFiles } = await import(
        "./host/storage/vscodeEventLog.ts"
      );
      const { workerIdentity } = await import("./host/storage/workerIdentity.ts");
      return {
        eventLogs: createVscodeEventLogStorage,
        smallFiles: createVscodeSmallFiles,
        identity: await workerIdentity(),
        disk: null,
        machineFacts: null,
        endGroup: null,
        folderSearch: null,
        folderFiles: null,
        findAgents: null,
        processes: null,
        mcp: null,
        git: null,
        web: null,
        voice: null,
      };
    },
  });
}
