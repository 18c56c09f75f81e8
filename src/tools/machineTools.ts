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

/** Tools that start processes, which end with `dispose`; it settles when nothing of them is left. Stop the turns first. */
export interface MachineTools {
  readonly tools: readonly Tool[];
  /** Ends the commands that a stopped turn has left in the background; those of other turns go on. */
  turnStopped(turnId: string): void;
  dispose(): Promise<void>;
}

/** The tools for commands and git, where Graft runs on a machine of the user's. */
export function machineTools(workspace: Workspace, shell: Shell, git: Git): MachineTools {
  const jobs = new CommandJobs(shell);
  const gitRuns = new Set<Promise<unknown>>();
  const counted = <T>(run: Promise<T>): Promise<T> => {
    gitRuns.add(run);
    void Promise.allSettled([run]).then(() => gitRuns.delete(run));
    return run;
  };
  const ownGit: Git = {
    run: (...args) => counted(git.run(...args)),
    withIndexCopy: (...args) => counted(git.withIndexCopy(...args)),
  };
  const gitOver = async () => {
    while (gitRuns.size > 0) await Promise.allSettled(gitRuns);
  };
  const deps = { git: ownGit, workspace };
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
    turnStopped: (turnId) => void jobs.endOf(turnId),
    async dispose() {
      await Promise.allSettled([jobs.dispose(), gitOver()]);
    },
  };
}
