import type { ToolResult } from "./tool.ts";

/** A result as the model reads it. */
export function toolResultText(result: ToolResult): string {
  if (result.ok) return result.output;
  const { category, message, recovery } = result.error;
  return `Error (${category}): ${message}${recovery === null ? "" : ` ${recovery}`}`;
}
