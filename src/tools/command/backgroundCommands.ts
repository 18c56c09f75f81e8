import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import { defineTool } from "../defineTool.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";
import type { CommandJobs } from "./commandJobs.ts";
import { commandReport } from "./commandReport.ts";

const MAX_WAIT_SECONDS = 20;

const command_id = z.string().check(z.describe("The id that run_command gave."));
const killSchema = z.object({ command_id });
const readSchema = z.object({
  command_id,
  offset: z
    .optional(z.int().check(z.minimum(0)))
    .check(
      z.describe(
        "Where to start, in characters of the whole output. Default: after what you have seen.",
      ),
    ),
  wait_seconds: z
    .optional(z.number().check(z.minimum(0), z.maximum(MAX_WAIT_SECONDS)))
    .check(z.describe(`How long to wait for its end, at most ${MAX_WAIT_SECONDS}. Default 0.`)),
});

/**
 * The tools for commands that `run_command` left running: `read_command_output` and `kill_command`.
 */
export function backgroundCommands(jobs: CommandJobs): readonly Tool[] {
  const readTool = defineTool({
    name: "read_command_output",
    description:
      "Reads on in the output of a command that runs in the background or whose output was clipped.",
    category: "terminal",
    effect: "read",
    schema: readSchema,
    async execute({ command_id, offset, wait_seconds = 0 }, { signal }) {
      const found = jobs.find(command_id);
      if (!found.ok) return found;
      const job = found.value;
      await withDeadline(signal, wait_seconds * 1000, () => job.exited);
      return { ok: true, output: commandReport(job, offset ?? job.readTo) };
    },
  });
  const killTool = defineTool({
    name: "kill_command",
    description: "Ends a command that run_command left running, with every process it started.",
    category: "terminal",
    effect: "execute",
    // It only ends what the model started.
    unasked: true,
    schema: killSchema,
    question: ({ command_id: id }, t) => ({ summary: t("End {id}", { id }) }),
    async execute({ command_id }) {
      const found = jobs.find(command_id);
      if (!found.ok) return found;
      const job = found.value;
      const ran = job.exit === null;
      await job.kill();
      await job.exited;
      return { ok: true, output: `${NOTES.killed(ran)} ${commandReport(job, job.readTo)}` };
    },
  });
  return [readTool, killTool];
}
