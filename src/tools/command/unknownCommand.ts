import type { ToolResult } from "../tool.ts";
import type { CommandJobs } from "./commandJobs.ts";

/** The result for a command id that names nothing. */
export function unknownCommand(id: string, jobs: CommandJobs): ToolResult {
  const known = jobs.ids();
  const recovery = known.length === 0 ? "No command has been run." : `Known are: ${known.join(", ")}.`;
  return { ok: false, error: { category: "not-found", message: `There is no command ${JSON.stringify(id)}.`, recovery } };
}
