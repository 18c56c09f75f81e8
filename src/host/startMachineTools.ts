import type { Workspace } from "../ports/workspace.ts";
import type { MachineTools } from "../tools/machineTools.ts";
import type { Processes } from "./platform.ts";
import { createTerminalShell } from "./terminalShell.ts";

/** The tools for git and commands; commands run in the editor's terminals where the shell tells of its commands. */
export function startMachineTools({ shell, git, tools, plainText, endChildren }: Processes, workspace: Workspace): MachineTools {
  return tools(workspace, createTerminalShell({ fallback: shell, plainText, endChildren }), git);
}
