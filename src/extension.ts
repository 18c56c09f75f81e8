import * as vscode from "vscode";
import { type ActiveExtension, activate as activateGraft, type GraftApi } from "./host/activate.ts";

let active: ActiveExtension | null = null;

/** The entry in a host with Node.js: the desktop, a remote machine. */
export function activate(context: vscode.ExtensionContext): GraftApi {
  active = activateGraft(context, {
    environmentKey: process.env.OPENAI_API_KEY || null,
    async adapters() {
      const { openMachine } = await import("./machine.ts");
      return { ...openMachine(vscode.env.appRoot), mcp: async (...given) => (await import("./mcp.ts")).openMcp(...given) };
    },
  });
  return active.api;
}

/** Lets the running turn end and writes the history before the window closes. */
export async function deactivate(): Promise<void> {
  await active?.deactivate();
}
