import * as z from "zod/mini";
import { defineTool } from "../defineTool.ts";
import { failed } from "../messages.ts";
import type { Tool } from "../tool.ts";

const schema = z.object({
  agent: z
    .optional(z.string().check(z.minLength(1), z.maxLength(200)))
    .check(z.describe("One of the workspace's agents, by name; left out for one with your tools.")),
  task: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(20_000),
      z.describe("All that it needs to know: it sees nothing of this conversation."),
    ),
});

/** `run_agent`: has an agent do a task in a context of its own, and returns its report. */
export function createRunAgent(): Tool {
  return defineTool({
    name: "run_agent",
    description:
      "Gives a task to an agent that starts afresh, and returns its report. For work with much to read and little to report. Its edits are proposed like yours.",
    category: "ui",
    effect: "execute",
    // Each of its own calls is asked about.
    unasked: true,
    // It has limits of its own.
    timeoutMs: Number.POSITIVE_INFINITY,
    schema,
    question: ({ agent = "" }) => ({ summary: `Run an agent ${agent}`.trim() }),
    execute: async ({ agent = null, task }, context) =>
      context.agents ? context.agents.run(agent, task, context) : failed("no-agents", {}),
  });
}
