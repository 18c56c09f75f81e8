import * as z from "zod/mini";
import { defineTool, type Tool } from "../tool.ts";
import type { CommandJobs } from "./commandJobs.ts";
import { commandText } from "./commandText.ts";
import { unknownCommand } from "./unknownCommand.ts";

const schema = z.object({ command_id: z.string().check(z.describe("The id that run_command gave.")) });

/** `kill_command`: ends a command in the background with all it started. Needs no permission: it was the model that started it. */
export function createKillCommand(jobs: CommandJobs): Tool {
  return defineTool({
    name: "kill_command",
    description: "Ends a command that run_command left running, with every process it started.",
    category: "terminal",
    effect: "execute",
    unasked: true,
    schema,
    summary: ({ command_id }) => `End ${command_id}`,
    async execute({ command_id }) {
      const job = jobs.get(command_id);
      if (!job) return unknownCommand(command_id, jobs);
      const ran = job.exit === null;
      await job.kill();
      await job.exited;
      return { ok: true, output: `${ran ? "It was ended." : "It had ended before."} ${commandText(job, job.readTo)}` };
    },
  });
}
