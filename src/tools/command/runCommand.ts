import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { CommandLine } from "../../ports/approval.ts";
import { LIBRARY_VARIABLES } from "../../ports/commands/libraryVariables.ts";
import type { CommandPlace } from "../../ports/commands/process.ts";
import type { Sandbox } from "../../ports/commands/shadow.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { FileError, FileRef, Workspace } from "../../ports/workspace.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { failed } from "../messages.ts";
import { endlessDevice, pathsRead, SYSTEM_PATH } from "../permissions/readingCommand.ts";
import { createToolProgress } from "../results/toolProgress.ts";
import type { QuestionDetails, Tool, ToolContext, ToolError, ToolResult } from "../tool.ts";
import { filesBeside, onSavedFiles } from "../withSavedFiles.ts";
import type { ChatProposals } from "./chatProposals.ts";
import type { CommandJob, CommandJobs } from "./commandJobs.ts";
import { commandReport, commandState } from "./commandReport.ts";
import {
  type CommandStay,
  filesOfOthers,
  nothingChanged,
  type ProposalRuns,
  type RunPlace,
  type RunWay,
} from "./proposalRuns.ts";

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 3_600;
const BACKGROUND_LOOK_MS = 1_000;

const schema = z.object({
  command: z
    .string()
    .check(
      z.minLength(1),
      z.describe("The command line. It receives no input, so pass flags that avoid prompts."),
    ),
  working_directory: z
    .optional(z.string())
    .check(z.describe("A folder of the workspace (default) to run it in.")),
  timeout_seconds: z
    .optional(z.number().check(z.minimum(1), z.maximum(MAX_SECONDS)))
    .check(z.describe(`After this it continues in the background. Default ${DEFAULT_SECONDS}.`)),
  background: z
    .optional(z.boolean())
    .check(z.describe("true: for servers and watchers; returns an id at once. Default false.")),
  on: z
    .optional(z.enum(["proposals", "workspace"]))
    .check(
      z.describe(
        "While your changes wait: on them (default), or on the user's own files, for what must last, such as a push.",
      ),
    ),
  network: z.optional(z.boolean()).check(z.describe("true: after a result asked for it.")),
});

type Arguments = z.infer<typeof schema>;

/** How a command runs by what the user was asked. */
interface AskedWay extends RunWay {
  readonly onlyReads: boolean;
}

/** What `run_command` works with. */
export interface CommandSurroundings {
  readonly workspace: Workspace;
  readonly jobs: CommandJobs;
  readonly shellName: string;
  /** How long a background command is watched for an early end, in milliseconds; default a second. */
  readonly lookMs?: number;
  readonly files: SavedFiles;
  readonly proposals: ChatProposals;
  readonly runs: ProposalRuns;
  /** From now on the chat's commands run there, where the user would be asked. */
  keepTo(place: RunPlace): void;
}

/** `run_command`: runs a command line and returns its output and exit code. */
export function createRunCommand(surroundings: CommandSurroundings): Tool {
  const { workspace, shellName, runs } = surroundings;
  /** Where a call runs by what the user was asked, whatever they decide on proposals meanwhile. */
  const asked = new WeakMap<Arguments, AskedWay>();
  const wayOf = ({ on, network = false, background = false }: Arguments, signal: AbortSignal) =>
    runs.way({ on, needsNetwork: network || background }, signal);
  return defineTool({
    name: "run_command",
    description: `Runs a command line with ${shellName} in the workspace, such as tests or a build, and returns its exit code and output. Not for reading, searching or editing files, nor for git status, diff, log, commit and branch: there are tools for those. Do not start background processes with &; use background=true.`,
    category: "terminal",
    effect: "execute",
    timeoutMs: (MAX_SECONDS + 60) * 1000,
    schema,
    question: (given, t) => {
      const { command, working_directory: folder } = given;
      const line: CommandLine = {
        text: command,
        folder: folder ?? ".",
        ...(folder !== undefined &&
          workspace.folders.length > 1 &&
          workspace.folders.includes(folder) && { isRoot: true }),
      };
      return {
        summary: folder
          ? t("Run {command} in {folder}", { command, folder })
          : t("Run {command}", { command }),
        command: line,
        async details(signal, chosen) {
          if (chosen?.always) surroundings.keepTo(chosen.on);
          const on = chosen?.on ?? given.on;
          const found = await wayOf({ ...given, on }, signal);
          // What commands left on the proposals, links above all, was not looked at.
          const isOnFiles = found.backend === null;
          const way = { ...found, onlyReads: isOnFiles && (await onlyReads(surroundings, given)) };
          asked.set(given, way);
          const details = questionDetails(surroundings, way, runs.isChosenEachTime(on));
          const problem = way.backend === null ? await runs.problem(on, signal) : null;
          return {
            ...details,
            ...(given.network === true && { wantsNetwork: true }),
            ...(problem && { notOnProposals: problem }),
          };
        },
      };
    },
    async execute(args, context) {
      const { command, working_directory = "." } = args;
      if (command.includes("\0")) return failed("nul-in-command", {});
      const cwd = await workspace.resolve(working_directory);
      if (!cwd.ok) return fileToolError(cwd.error);
      const listed = await workspace.list(working_directory, context.signal);
      if (!listed.ok) return fileToolError(listed.error);
      const endless = await endlessPath(surroundings, args, context.signal);
      if (endless) return fileToolError(endless);
      const way = asked.get(args) ?? {
        ...(await wayOf(args, context.signal)),
        onlyReads: false,
      };
      // Stopped, it may be unknown where it should run.
      if (context.signal.aborted) return failed("cancelled", { tool: "run_command", begun: false });
      if (way.backend === null && !way.onlyReads && runs.isOnlyOnProposals) {
        const unknown = { code: "unsupported-system", detail: "" } as const;
        const problem = (await runs.problem(undefined, context.signal)) ?? unknown;
        return failed("no-shadow", { problem });
      }
      return start(surroundings, args, way, cwd.value, context);
    },
  });
}

/** Runs a command in the way that the user was asked about, in the place of the one of that `id`. */
function start(
  surroundings: CommandSurroundings,
  args: Arguments,
  way: AskedWay,
  cwd: FileRef,
  context: ToolContext,
  id?: string,
): Promise<ToolResult> {
  const { files, proposals } = surroundings;
  const seen = way.backend ? filesOfOthers(files, proposals) : files;
  return onSavedFiles("run_command", seen, context, () =>
    runIn(surroundings, args, way, cwd, context, id),
  );
}

/** Starts a command again that ran on; its call's turn may be over, and the user asked for it. */
async function restart(
  surroundings: CommandSurroundings,
  args: Arguments,
  cwd: FileRef,
  context: ToolContext,
  id: string,
): Promise<Result<null, ToolError>> {
  const { signal } = new AbortController();
  const again = { ...args, background: true };
  const found = await surroundings.runs.way({ on: args.on, needsNetwork: true }, signal);
  const own = { ...context, signal };
  const result = await start(surroundings, again, { ...found, onlyReads: false }, cwd, own, id);
  if (!result.ok) return err(result.error);
  const { command, shadow } = result;
  const onProposals = shadow && { changed: 0, backend: shadow.backend };
  const { callId, emit } = context;
  emit({ type: "command-restarted", callId, ...(onProposals && { onProposals }) });
  // It may have failed at once.
  if (command && command.code !== "running") emit({ type: "command-ended", callId, command });
  return ok(null);
}

/** Runs a command in its folder, in the way that the user was asked about. */
async function runIn(
  surroundings: CommandSurroundings,
  args: Arguments,
  { backend, isSandboxed, onlyReads }: AskedWay,
  cwd: FileRef,
  context: ToolContext,
  id?: string,
): Promise<ToolResult> {
  const { jobs, runs, lookMs = BACKGROUND_LOOK_MS } = surroundings;
  const { command, timeout_seconds = DEFAULT_SECONDS, background = false } = args;
  const run = backend ? await runs.begin(context) : null;
  if (run && !run.ok) return failed("no-shadow", { problem: run.error });
  const at = run ? run.value.at(cwd) : null;
  if (run && at === null) {
    await run.value.end();
    return failed("outside-copy", { path: cwd.path });
  }
  const made = isSandboxed && run ? await run.value.newSandbox() : null;
  if (made?.ok === false) {
    // Nobody was asked whether it may run without one.
    await run?.value.end();
    return failed("no-shadow", { problem: made.error });
  }
  const sandbox = made?.value ?? null;
  const progress = createToolProgress(context);
  try {
    const { turnId, callId, signal } = context;
    const onOutput = (text: string) => progress.push(text);
    const place = onlyReads ? systemPrograms : (sandbox ?? run?.value);
    const job = await jobs.start({ command, cwd, turnId, callId, onOutput, signal, place, id });
    if (!job.ok) {
      await run?.value.end();
      return job;
    }
    const ms = background ? lookMs : timeout_seconds * 1000;
    const stay = run && { run: run.value, sandbox };
    const { result, over } = await watch(job.value, ms, context, stay);
    if (over)
      job.value.restart = async () => {
        job.value.restart = null;
        await job.value.kill();
        await over;
        return restart(surroundings, args, cwd, context, job.value.id);
      };
    return result.shadow?.backend === "copy" && at !== null
      ? { ...result, shadow: { ...result.shadow, at } }
      : result;
  } finally {
    progress.dispose();
  }
}

/**
 * True for a command that only reads, and only what the file tools read without a question. Not on
 * Windows, whose shells have other programs.
 */
async function onlyReads(
  { workspace, shellName }: CommandSurroundings,
  { command, working_directory: folder = ".", background, network }: Arguments,
): Promise<boolean> {
  const paths = background || network ? null : pathsRead(command);
  if (paths === null || !["bash", "sh"].includes(shellName)) return false;
  const read = [".", ...paths].map((path) =>
    path.startsWith("/") || path.includes("..") ? null : workspace.resolve(`${folder}/${path}`),
  );
  const files = await Promise.all(read);
  return files.every((file) => file?.ok && file.value.secret === undefined);
}

/** What a command that only reads would wait for, or read without an end. */
async function endlessPath(
  { workspace }: CommandSurroundings,
  { command, working_directory: folder = ".", background = false }: Arguments,
  signal: AbortSignal,
): Promise<FileError | null> {
  if (background) return null;
  const device = endlessDevice(command);
  if (device !== null) return { code: "not-regular", path: device };
  for (const path of pathsRead(command) ?? []) {
    const file = path.startsWith("/") ? null : await workspace.resolve(`${folder}/${path}`);
    const read = file?.ok ? await workspace.read(file.value, signal) : null;
    if (read?.ok === false && read.error.code === "not-regular") return read.error;
  }
  return null;
}

/** No library or table of the workspace is loaded as code. */
const NO_LIBRARIES = Object.fromEntries(LIBRARY_VARIABLES.map((name) => [name, undefined]));
/** The user's files, where a name means a program of the system, whatever the user's PATH says. */
const systemPrograms: CommandPlace = {
  enter: (program) => ({
    ...program,
    variables: { ...program.variables, ...NO_LIBRARIES, PATH: SYSTEM_PATH, BASH_ENV: "", ENV: "" },
  }),
};

function questionDetails(
  { files, proposals }: CommandSurroundings,
  { backend, isSandboxed, onlyReads: reads }: AskedWay,
  isChosen: boolean,
): QuestionDetails {
  if (backend === null)
    return { ...filesBeside(files), ...(reads && { onlyReads: true as const }) };
  return {
    ...filesBeside(filesOfOthers(files, proposals)),
    onProposals: {
      ...{ backend, chat: proposals.chatId },
      ...(isSandboxed && { isSandboxed }),
      ...(isChosen && { isChosen }),
    },
  };
}

/** `over` settles once a command that runs on has ended and what it changed is proposed. */
interface WatchedCommand {
  readonly result: ToolResult;
  readonly over: Promise<void> | null;
}

/** Waits for the command's end. What it changed on the proposals is proposed, also when it ends later. */
async function watch(
  job: CommandJob,
  ms: number,
  { signal, callId, emit }: ToolContext,
  stay: { readonly run: CommandStay; readonly sandbox: Sandbox | null } | null,
): Promise<WatchedCommand> {
  const { run = null, sandbox = null } = stay ?? {};
  await withDeadline(signal, ms, () => job.exited);
  if (signal.aborted) await job.kill();
  const isOver = job.exit !== null;
  const shadow = run && isOver ? await run.settle() : null;
  const wantedNetwork = isOver && (await sandbox?.wantedNetwork());
  const end = async () => {
    await run?.settle().finally(() => run.end());
    if (!job.isLost) emit({ type: "command-ended", callId, command: commandState(job) });
  };
  if (isOver) await run?.end();
  const over = isOver ? null : job.exited.then(end);
  if (signal.aborted)
    return { result: failed("cancelled", { tool: "run_command", begun: true }), over };
  const result: ToolResult = {
    ok: true,
    output: commandReport(job, 0),
    command: commandState(job),
    ...(run && {
      shadow: {
        ...(shadow ?? nothingChanged(run.backend)),
        ...(sandbox && {
          sandbox: {
            wantedNetwork: wantedNetwork === true,
            emptied: isOver && job.exit?.code !== 0 ? sandbox.emptied : [],
          },
        }),
      },
    }),
  };
  return { result, over };
}
