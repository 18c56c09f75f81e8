import { createTerminalShell } from "./host/workspace/terminalShell.ts";
import { openNodeMachine } from "./node/nodeMachine.ts";

/** What the extension uses of the user's machine, in a bundle of its own. Commands run in VS Code's terminals where shell integration allows it. */
export function openMachine(appRoot: string) {
  return openNodeMachine(appRoot, createTerminalShell);
}
