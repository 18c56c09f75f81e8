import * as vscode from "vscode";
import { activateGraft, type GraftApi } from "./host/activate.ts";

export { deactivate } from "./host/activate.ts";

/** The entry for hosts with Node.js: desktop and remote. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  return activateGraft(context, {
    environment: process.env,
    agents: {
      guests: async (door) => (await import("./guests.ts")).serveGuests(door),
      // VS Code's own program is Node.js with this variable.
      node: { command: process.execPath, env: { ELECTRON_RUN_AS_NODE: "1" } },
    },
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
