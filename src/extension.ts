import * as vscode from "vscode";
import { type ActiveExtension, activate as activateGraft, type GraftApi } from "./host/activate.ts";

let active: ActiveExtension | null = null;

/** The entry for hosts with Node.js: desktop and remote. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  active = activateGraft(context, {
    environment: process.env,
    async adapters() {
      const { openMachine } = await import("./machine.ts");
      return {
        ...openMachine(vscode.env.appRoot),
        mcp: async (...given) => (await import("./mcp.ts")).openMcp(...given),
        voice: async (options) => (await import("./voice.ts")).openVoice(options),
        realtimeSocket: async (...given) => (await import("./voice.ts")).openRealtimeSocket(...given),
      };
    },
  });
  return active.api;
}

/** Stops the running turn and writes the history before the window closes. */
export async function deactivate(): Promise<void> {
  await active?.deactivate();
}
