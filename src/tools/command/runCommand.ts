import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { failed } from "../messages.ts";
import { createToolProgress } from "../results/toolProgress.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import type { CommandJob, CommandJobs } from "./commandJobs.ts";
import { commandReport, commandState } from "./commandReport.ts";

const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 3_600;
/** How long a background command is watched for an early end, in milliseconds. */
const BACKGROUND_LOOK_MS = 1_000;

const schema = z.object({
  command: z.string().check(z.minLength(1), z.describe("The command line. It receives no input, so pass flags that avoid prompts.")),
  working_directory: z.optional(z.string()).check(z.describe("A folder of the workspace to run it in. Default: the workspace.")),
  timeout_seconds: z
    .optional(z.number().check(z.minimum(1), z.maximum(MAX_SECONDS)))
    .check(z.describe(`After this it continues in the background. Default ${DEFAULT_SECONDS}.`)),
  background: z.optional(z.boolean()).check(z.describe("true: for servers and watchers; returns an id at once. Default false.")),
});

/** `run_command`: runs a command line and returns its output and exit code. */
export function createRunCommand(workspace: Workspace, jobs: CommandJobs, shellName: string): Tool {
  return defineTool({
    name: "run_command",
    description: `Runs a command line with ${shellName} in the workspace, such as tests or a build, and returns its exit code and output. Not for reading, searching or editing files, nor for git status, diff, log, commit and branch: there are tools for those. Do not start background processes with &; use background=true.`,
    category: "terminal",
    effect: "execute",
    timeoutMs: (MAX_SECONDS + 60) * 1000,
    schema,
    summary: ({ command, working_directory: folder }, t) =>
      folder ? t("Run {command} in {folder}", { command, folder }) : t("Run {command}", { command }),
    commandOf: ({ command, working_directory = "." }) => ({
      text: command,
      folder: working_directory,
      ...(workspace.folders.length > 1 && workspace.folders.includes(working_directory) && { isRoot: true }),
    }),
    async execute({ command, working_directory = ".", timeout_seconds = DEFAULT_SECONDS, background = false }, context) {
      if (command.includes("\0")) return failed("nul-in-command", {});
      const cwd = await workspace.resolve(working_directory);
      if (!cwd.ok) return fileToolError(cwd.error);
      const listed = await workspace.list(working_directory, context.signal);
      if (!listed.ok) return fileToolError(listed.error);
      const progress = createToolProgress(context);
      try {
        const { turnId, signal } = context;
        const job = await jobs.start({ command, cwd: cwd.value, turnId, onOutput: (text) => progress.push(text), signal });
        if (!job.ok) return job;
        return await watch(job.value, background ? BACKGROUND_LOOK_MS : timeout_seconds * 1000, context);
      } finally {
        progress.dispose();
      }
    },
  });
}

async function watch(job: CommandJob, ms: number, { signal }: ToolContext): Promise<ToolResult> {
  await withDeadline(signal, ms, () => job.exited);
  if (!signal.aborted) return { ok: true, output: commandReport(job, 0), command: commandState(job) };
  await job.kill();
  return failed("cancelled", { tool: "run_command", begun: true });
}
