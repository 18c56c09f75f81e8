import type { Git } from "../ports/git.ts";
import type { Shell } from "../ports/process.ts";
import { alwaysSaved, type SavedFiles } from "../ports/savedFiles.ts";
import type { Workspace } from "../ports/workspace.ts";
import { backgroundCommands } from "./command/backgroundCommands.ts";
import { CommandJobs } from "./command/commandJobs.ts";
import { createRunCommand } from "./command/runCommand.ts";
import { createGitBranch } from "./git/gitBranch.ts";
import { createGitCommit } from "./git/gitCommit.ts";
import { gitReads } from "./git/gitReads.ts";
import { type Tool, withCalls } from "./tool.ts";
import { withSavedFiles } from "./withSavedFiles.ts";

/** Tools that start processes. `dispose` ends these and settles when none is left. Stop the turns first, so that none starts. */
export interface ProcessTools {
  readonly tools: readonly Tool[];
  /** Ends the background commands of a stopped turn. */
  turnStopped(turnId: string): void;
  dispose(): Promise<void>;
}

/** The tools for commands and git, where processes can be started. */
export function processTools(workspace: Workspace, shell: Shell, git: Git, files: SavedFiles = alwaysSaved): ProcessTools {
  const jobs = new CommandJobs(shell);
  const deps = { git, workspace };
  const onDisk = (tool: Tool) => withSavedFiles(tool, files);
  const tools = [
    onDisk(createRunCommand(workspace, jobs, shell.name)),
    ...backgroundCommands(jobs),
    ...gitReads(deps).map((tool) => (tool.name === "git_log" ? tool : onDisk(tool))),
    onDisk(createGitCommit(deps)),
    withSavedFiles(createGitBranch(deps), files, ({ effect }) => effect !== "read"),
  ];
  const calls = new Set<Promise<unknown>>();
  return {
    tools: tools.map((tool) => tracked(tool, calls)),
    turnStopped: (turnId) => void jobs.endOf(turnId),
    async dispose() {
      await Promise.allSettled([jobs.dispose(), ...calls]);
    },
  };
}

/** A tool whose calls are in `running` until they are over, also when a stopped turn no longer waits for them. */
function tracked(tool: Tool, running: Set<Promise<unknown>>): Tool {
  return withCalls(tool, (call) => ({
    ...call,
    async run(context) {
      const result = call.run(context);
      running.add(result);
      return result.finally(() => running.delete(result));
    },
  }));
}
