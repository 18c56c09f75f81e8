import type { ToolResult } from "./tool.ts";

/** A result as the model reads it. */
export function toolResultText(result: ToolResult): string {
  if (result.ok) return result.output;
  const { category, message, recovery } = result.error;
  // A message of several lines may end with a line of a file.
  const gap = message.includes("\n") ? "\n" : " ";
  return `Error (${category}): ${message}${recovery === null ? "" : gap + recovery}`;
}
