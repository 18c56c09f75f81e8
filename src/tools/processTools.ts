import type { Shell } from "../ports/commands/process.ts";
import type { RunnerFiles } from "../ports/commands/runnerFiles.ts";
import type { Ground, ShadowProblem, Shadows } from "../ports/commands/shadow.ts";
import type { Git } from "../ports/git.ts";
import { alwaysSaved, type SavedFiles } from "../ports/savedFiles.ts";
import type { Workspace } from "../ports/workspace.ts";
import { backgroundCommands } from "./command/backgroundCommands.ts";
import type { ChatProposals } from "./command/chatProposals.ts";
import { CommandJobs } from "./command/commandJobs.ts";
import {
  type CheckOutcome,
  type ProposalCheck,
  runProposalCheck,
} from "./command/proposalCheck.ts";
import {
  filesOfOthers,
  gitOnProposals,
  type KeepOffers,
  nothingChanged,
  proposalRuns,
  type RunPlace,
} from "./command/proposalRuns.ts";
import { createRunCommand } from "./command/runCommand.ts";
import { createGitBranch } from "./git/gitBranch.ts";
import { createGitCommit } from "./git/gitCommit.ts";
import { createGitDiff, createGitLog, createGitStatus } from "./git/gitReads.ts";
import { type Tool, withCalls } from "./tool.ts";
import { onSavedFiles, withSavedFiles } from "./withSavedFiles.ts";

/**
 * Tools that start processes. `dispose` ends these and settles when none is left. Stop the turns
 * first, so that none starts.
 */
export interface ProcessTools {
  /** The tools of a chat, whose commands may run on what it proposes. */
  of(proposals: ChatProposals): readonly Tool[];
  /** Runs a check on proposed files. The commands of its chat wait until it is over. */
  check(check: ProposalCheck, signal: AbortSignal): Promise<CheckOutcome>;
  /** True while a command of the chat runs on its proposals. */
  runsOnProposals(chatId: string): Promise<boolean>;
  /** How commands see proposals here. */
  ground(): Promise<CommandGround>;
  /** Ends the background commands of a stopped turn. */
  turnStopped(turnId: string): void;
  dispose(): Promise<void>;
}

/** How commands see proposals, null where they do not. */
export interface CommandGround {
  readonly ground: Ground | null;
  /** Why that is no overlay, and no copy either. */
  readonly noOverlay: ShadowProblem | null;
  readonly noCopy: ShadowProblem | null;
}

/** What processes are started with. */
export interface ProcessSurroundings {
  readonly workspace: Workspace;
  readonly shell: Shell;
  /** Runs checks. Default: `shell`. */
  readonly checkShell?: Shell;
  readonly git: Git;
  /** Default: every change is on the disk. */
  readonly files?: SavedFiles;
  /** Default: commands run on the files as they are. */
  readonly shadows?: Shadows;
  readonly runnerFiles?: Pick<RunnerFiles, "decides"> | null;
  /** The user's choice for commands while changes are proposed. */
  runOn?(): RunPlace;
  readonly offers?: KeepOffers;
}

/** The tools for commands and git, where processes can be started. */
export function processTools(surroundings: ProcessSurroundings): ProcessTools {
  const { workspace, shell, git, shadows = null, runnerFiles = null } = surroundings;
  const { files = alwaysSaved, runOn = () => "proposals", offers } = surroundings;
  const { checkShell = shell } = surroundings;
  const checks = new Map<string, Promise<CheckOutcome>>();
  const jobs = new CommandJobs(shell);
  const deps = { git, workspace };
  const onDisk = (tool: Tool) => withSavedFiles(tool, files);
  const shared = [
    ...backgroundCommands(jobs),
    createGitLog(deps),
    onDisk(createGitCommit(deps)),
    withSavedFiles(createGitBranch(deps), files, ({ effect }) => effect !== "read"),
  ];
  const calls = new Set<Promise<unknown>>();
  return {
    of(proposals) {
      const checked = (chatId: string) => Promise.resolve(checks.get(chatId));
      const runs = proposalRuns(shadows, proposals, runOn, offers, checked);
      const { name: shellName } = shell;
      const command = { workspace, jobs, shellName, files, proposals, runs, runnerFiles };
      const seen = { workspace, git: gitOnProposals(git, runs) };
      const looking = [createGitStatus(seen), createGitDiff(seen)].map((tool) =>
        withCalls(tool, (call) => ({
          ...call,
          async run(context) {
            const ground = await runs.ground();
            if (ground === null)
              return onSavedFiles(tool.name, files, context, () => call.run(context));
            const others = filesOfOthers(files, proposals);
            const result = await onSavedFiles(tool.name, others, context, () => call.run(context));
            return { ...result, shadow: nothingChanged(ground) };
          },
        })),
      );
      const all = [createRunCommand(command), ...looking, ...shared];
      return all.map((tool) => tracked(tool, calls));
    },
    async check(check, signal) {
      const { chatId } = check;
      await checks.get(chatId);
      if (shadows === null)
        return { code: "no-shadow", problem: { code: "unsupported-system", detail: "" } };
      const parts = { workspace, shell: checkShell, shadows, files };
      const outcome = runProposalCheck(parts, check, signal);
      checks.set(chatId, outcome);
      calls.add(outcome);
      try {
        return await outcome;
      } finally {
        calls.delete(outcome);
        if (checks.get(chatId) === outcome) checks.delete(chatId);
      }
    },
    runsOnProposals: async (chatId) => (await shadows?.of(chatId).isUsed()) ?? false,
    async ground() {
      const none: ShadowProblem = { code: "unsupported-system", detail: "" };
      if (shadows === null) return { ground: null, noOverlay: none, noCopy: none };
      const [noCopy, { ground, noOverlay }] = [await shadows.problem(), await shadows.ground()];
      return { ground: noCopy === null ? ground : null, noOverlay, noCopy };
    },
    turnStopped: (turnId) => void jobs.endOf(turnId),
    async dispose() {
      await Promise.allSettled([jobs.dispose(), ...calls]);
      await shadows?.dispose();
    },
  };
}

/**
 * A tool whose calls are in `running` until they are over, also when a stopped turn no longer waits
 * for them.
 */
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
