import type { StartAgent, ToolServer } from "../ports/commands/chatAgent.ts";
import type { Git } from "../ports/commands/git.ts";
import type { Shell } from "../ports/commands/process.ts";
import type { ShadowBackendName, ShadowProblem, Shadows } from "../ports/commands/shadow.ts";
import { alwaysSaved, type SavedFiles } from "../ports/savedFiles.ts";
import type { Workspace } from "../ports/workspace.ts";
import { backgroundCommands } from "./command/backgroundCommands.ts";
import { ChatAgent } from "./command/chatAgent.ts";
import type { ChatProposals } from "./command/chatProposals.ts";
import { type CommandJob, CommandJobs } from "./command/commandJobs.ts";
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
  type ProposalRuns,
  proposalRuns,
  type RunChoice,
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
  /**
   * The tools of a chat, whose commands may run on what it proposes, and nowhere else while `isOnly`
   * says so.
   */
  of(proposals: ChatProposals, isOnly?: () => boolean): readonly Tool[];
  /** Another maker's agent in a chat; null where none can be started. */
  agentOf(proposals: ChatProposals): ChatAgent | null;
  /** Runs a check on proposed files. The commands of its chat wait until it is over. */
  check(check: ProposalCheck, signal: AbortSignal): Promise<CheckOutcome>;
  /** True while a command of the chat runs on its proposals. */
  runsOnProposals(chatId: string): Promise<boolean>;
  /** How commands see proposals here. */
  backend(signal: AbortSignal): Promise<CommandBackend>;
  /** The commands that run now, oldest first. */
  running(): readonly RunningJob[];
  /** Ends what a stopped turn left running; settles when nothing of it is left. */
  turnStopped(turnId: string): Promise<void>;
  dispose(): Promise<void>;
}

/** A command that runs. */
export type RunningJob = Pick<
  CommandJob,
  "turnId" | "callId" | "command" | "pid" | "startedAt" | "kill" | "restart"
>;

/** How commands see proposals, null where they do not. */
export interface CommandBackend {
  readonly backend: ShadowBackendName | null;
  /** Why that is no overlay, and no copy either. */
  readonly noOverlay: ShadowProblem | null;
  /** Why commands have no sandbox, or null; tried out only where the user wants one. */
  readonly noSandbox: ShadowProblem | null;
  readonly isSandboxed: boolean;
  readonly noCopy: ShadowProblem | null;
  /** How many chats keep a copy at most; absent where there are none. */
  readonly mostCopies?: number;
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
  /** Default: on the proposals, without a sandbox. */
  runChoice?(): RunChoice;
  readonly offers?: KeepOffers;
  /** Hears which commands run, whenever that changes. */
  commandsChanged?(running: readonly RunningJob[]): void;
  /** Starts another maker's agent; absent where none can be. */
  readonly startAgent?: StartAgent;
  /** Proposes for agents that cannot work on the proposals; null where none can. */
  toolServer?(): ToolServer | null;
}

const DEFAULT_CHOICE: RunChoice = { on: "proposals", sandbox: "off" };

/** The tools for commands and git, where processes can be started. */
export function processTools(surroundings: ProcessSurroundings): ProcessTools {
  const { workspace, shell, git, shadows = null } = surroundings;
  const { files = alwaysSaved, runChoice = () => DEFAULT_CHOICE, offers } = surroundings;
  const { checkShell = shell } = surroundings;
  const checks = new Map<string, Promise<CheckOutcome>>();
  const jobs: CommandJobs = new CommandJobs(shell, () =>
    surroundings.commandsChanged?.(jobs.running()),
  );
  const deps = { git, workspace };
  const onDisk = (tool: Tool) => withSavedFiles(tool, files);
  const shared = [
    ...backgroundCommands(jobs),
    createGitLog(deps),
    onDisk(createGitCommit(deps)),
    withSavedFiles(createGitBranch(deps), files, ({ effect }) => effect !== "read"),
  ];
  const calls = new Map<Promise<unknown>, string>();
  /** Where each chat's commands run that the user would be asked about. */
  const places = new Map<string, RunPlace>();
  const choiceOf = (chatId: string, isOnly: boolean): RunChoice => {
    const choice = runChoice();
    if (isOnly) return { ...choice, on: "only-proposals" };
    return choice.on === "ask" ? { ...choice, on: places.get(chatId) ?? choice.on } : choice;
  };
  const runsOf = (proposals: ChatProposals, isOnly = () => false) =>
    proposalRuns(
      shadows,
      proposals,
      () => choiceOf(proposals.chatId, isOnly()),
      offers,
      async (chatId) => checks.get(chatId),
    );
  const agents = new Map<string, ChatAgent>();
  /** An agent stays in its chat's shadow, and what a check changes must not be taken for its own. */
  const shadowOfCheck = (chatId: string) =>
    agents.get(chatId)?.isRunning ? `${chatId}/check` : chatId;
  return {
    agentOf(proposals) {
      const { startAgent: start } = surroundings;
      if (!start) return null;
      const { chatId } = proposals;
      const server = surroundings.toolServer?.() ?? null;
      const confines = () => runChoice().sandbox === "auto";
      const own = { start, server, confines, runs: runsOf(proposals) };
      const parts = { ...own, workspace, files, proposals };
      const agent: ChatAgent = new ChatAgent(parts, () => {
        if (agents.get(chatId) === agent) agents.delete(chatId);
      });
      agents.set(chatId, agent);
      return agent;
    },
    of(proposals, isOnly) {
      const runs = runsOf(proposals, isOnly);
      const { name: shellName } = shell;
      const keepTo = (place: RunPlace) => places.set(proposals.chatId, place);
      const command = { workspace, jobs, shellName, files, proposals, runs, keepTo };
      const seen = { workspace, git: gitOnProposals(git, runs) };
      const looking = [createGitStatus(seen), createGitDiff(seen)].map((tool) =>
        onProposals(tool, runs, files, proposals),
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
      const own = { ...check, chatId: shadowOfCheck(chatId) };
      const outcome = runProposalCheck(parts, own, signal);
      checks.set(chatId, outcome);
      calls.set(outcome, "");
      try {
        return await outcome;
      } finally {
        calls.delete(outcome);
        if (checks.get(chatId) === outcome) checks.delete(chatId);
      }
    },
    runsOnProposals: async (chatId) => (await shadows?.of(shadowOfCheck(chatId)).isUsed()) ?? false,
    backend: (signal) => backendOf(shadows, runChoice(), signal),
    running: () => jobs.running(),
    async turnStopped(turnId) {
      const own = [...calls].filter(([, of]) => of === turnId).map(([call]) => call);
      await Promise.allSettled([jobs.endOf(turnId), ...own]);
    },
    async dispose() {
      await Promise.allSettled([
        jobs.dispose(),
        ...calls.keys(),
        ...[...agents.values()].map((agent) => agent.dispose()),
      ]);
      await shadows?.dispose();
    },
  };
}

/** A tool that reads the files as the chat proposes them, where its commands see these. */
function onProposals(
  tool: Tool,
  runs: ProposalRuns,
  files: SavedFiles,
  proposals: ChatProposals,
): Tool {
  return withCalls(tool, (call) => ({
    ...call,
    async run(context) {
      const backend = await runs.backend(context.signal);
      const seen = backend === null ? files : filesOfOthers(files, proposals);
      const result = await onSavedFiles(tool.name, seen, context, () => call.run(context));
      return backend === null ? result : { ...result, shadow: nothingChanged(backend) };
    },
  }));
}

/** How commands see proposals on this machine. */
async function backendOf(
  shadows: Shadows | null,
  { sandbox }: RunChoice,
  signal: AbortSignal,
): Promise<CommandBackend> {
  const none: ShadowProblem = { code: "unsupported-system", detail: "" };
  if (shadows === null)
    return {
      ...{ backend: null, isSandboxed: false },
      ...{ noOverlay: none, noSandbox: none, noCopy: none },
    };
  const noCopy = await shadows.problem(signal);
  const { backend, noOverlay, mostCopies } = await shadows.backend();
  const noSandbox = sandbox === "off" ? null : await shadows.sandboxProblem();
  return {
    ...{ noOverlay, noSandbox, noCopy },
    backend: noCopy === null ? backend : null,
    isSandboxed: sandbox !== "off" && noCopy === null && noSandbox === null,
    ...(mostCopies !== undefined && noCopy === null && { mostCopies }),
  };
}

/**
 * A tool whose calls are in `running`, by their turn, until they are over, also when a stopped turn
 * no longer waits for them.
 */
function tracked(tool: Tool, running: Map<Promise<unknown>, string>): Tool {
  return withCalls(tool, (call) => ({
    ...call,
    async run(context) {
      const result = call.run(context);
      running.set(result, context.turnId);
      return result.finally(() => running.delete(result));
    },
  }));
}
