import type { Git } from "../ports/git.ts";
import type { Shell } from "../ports/process.ts";
import type { Workspace } from "../ports/workspace.ts";
import { CommandJobs } from "./command/commandJobs.ts";
import { createKillCommand } from "./command/killCommand.ts";
import { createReadCommandOutput } from "./command/readCommandOutput.ts";
import { createRunCommand } from "./command/runCommand.ts";
import { createGitBranch } from "./git/gitBranch.ts";
import { createGitCommit } from "./git/gitCommit.ts";
import { createGitDiff } from "./git/gitDiff.ts";
import { createGitLog } from "./git/gitLog.ts";
import { createGitStatus } from "./git/gitStatus.ts";
import type { Tool } from "./tool.ts";

/** Tools that start processes, which end with `dispose`; it settles when none of the commands is left. */
export interface MachineTools {
  readonly tools: readonly Tool[];
  dispose(): Promise<void>;
}

/** The tools for commands and git, where Graft runs on a machine of the user's. */
export function machineTools(workspace: Workspace, shell: Shell, git: Git): MachineTools {
  const jobs = new CommandJobs(shell);
  const deps = { git, workspace };
  return {
    tools: [
      createRunCommand(workspace, jobs, shell.name),
      createReadCommandOutput(jobs),
      createKillCommand(jobs),
      createGitStatus(deps),
      createGitDiff(deps),
      createGitLog(deps),
      createGitCommit(deps),
      createGitBranch(deps),
    ],
    dispose: () => jobs.dispose(),
  };
}
