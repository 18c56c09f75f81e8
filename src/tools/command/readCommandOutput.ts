import * as z from "zod/mini";
import { withDeadline } from "../../base/deadline.ts";
import { defineTool, type Tool } from "../tool.ts";
import type { CommandJobs } from "./commandJobs.ts";
import { commandReport } from "./commandReport.ts";

const MAX_WAIT_SECONDS = 20;

const schema = z.object({
  command_id: z.string().check(z.describe("The id that run_command gave.")),
  offset: z
    .optional(z.int().check(z.minimum(0)))
    .check(z.describe("Where to start, in characters of the whole output. Default: after what you have seen.")),
  wait_seconds: z
    .optional(z.number().check(z.minimum(0), z.maximum(MAX_WAIT_SECONDS)))
    .check(z.describe(`How long to wait for its end, at most ${MAX_WAIT_SECONDS}. Default 0.`)),
});

/** `read_command_output`: what a command has written since the last read, and whether it still runs. */
export function createReadCommandOutput(jobs: CommandJobs): Tool {
  return defineTool({
    name: "read_command_output",
    description: "Reads on in the output of a command that runs in the background or whose output was clipped.",
    category: "terminal",
    effect: "read",
    schema,
    async execute({ command_id, offset, wait_seconds = 0 }, { signal }) {
      const found = jobs.find(command_id);
      if (!found.ok) return found;
      const job = found.value;
      await withDeadline(signal, wait_seconds * 1000, () => job.exited);
      return { ok: true, output: commandReport(job, offset ?? job.readTo) };
    },
  });
}
