import * as z from "zod/mini";
import { NOTES } from "../messages.ts";
import { defineTool, type Tool } from "../tool.ts";
import type { CommandJobs } from "./commandJobs.ts";
import { commandReport } from "./commandReport.ts";

const schema = z.object({ command_id: z.string().check(z.describe("The id that run_command gave.")) });

/** `kill_command`: ends a background command with every process it started. Needs no approval, since the model started it. */
export function createKillCommand(jobs: CommandJobs): Tool {
  return defineTool({
    name: "kill_command",
    description: "Ends a command that run_command left running, with every process it started.",
    category: "terminal",
    effect: "execute",
    unasked: true,
    schema,
    summary: ({ command_id: id }, t) => t("End {id}", { id }),
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
}
