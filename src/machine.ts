import { openNodeMachine } from "./headless/nodeMachine.ts";
import { createLocalDisk } from "./host/localDisk.ts";
import { createTerminalShell } from "./host/terminalShell.ts";

/** What the extension finds on a machine of the user's, in a file of its own; commands run in the editor's terminals where the shell tells of them. */
export function openMachine(appRoot: string) {
  const machine = openNodeMachine(appRoot, createTerminalShell);
  return { ...machine, disk: createLocalDisk(machine.disk) };
}
