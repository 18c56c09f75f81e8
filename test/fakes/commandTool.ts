import { alwaysSaved } from "../../src/ports/savedFiles.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import { noProposals } from "../../src/tools/command/chatProposals.ts";
import type { CommandJobs } from "../../src/tools/command/commandJobs.ts";
import { proposalRuns } from "../../src/tools/command/proposalRuns.ts";
import { type CommandSurroundings, createRunCommand } from "../../src/tools/command/runCommand.ts";
import type { Tool } from "../../src/tools/tool.ts";

/** `run_command` where nothing is proposed; `more` are differences. */
export function commandTool(
  workspace: Workspace,
  jobs: CommandJobs,
  shellName = "bash",
  more: Pick<CommandSurroundings, "lookMs"> = {},
): Tool {
  const runs = proposalRuns(null, noProposals, () => ({ on: "proposals", sandbox: "off" }));
  return createRunCommand({
    ...{ workspace, jobs, shellName, runs, ...more },
    files: alwaysSaved,
    proposals: noProposals,
    keepTo: () => undefined,
  });
}
