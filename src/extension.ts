import * as vscode from "vscode";
import { activateGraft, type GraftApi } from "./host/activate.ts";

export { deactivate } from "./host/activate.ts";

/** The entry for hosts with Node.js: desktop and remote. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  return activateGraft(context, {
    environment: process.env,
    async adapters() {
      const { openMachine } = await import("./machine.ts");
      return {
        ...openMachine(vscode.env.appRoot),
        mcp: async (...given) => (await import("./mcp.ts")).openMcp(...given),
        voice: async (options) => (await import("./voice.ts")).openVoice(options),
      };
    },
  });
}
