import { shadowNote } from "./command/messages.ts";
import { diskGapNote } from "./notes.ts";
import type { ToolResult } from "./tool.ts";

/** A result as the model reads it. */
export function toolResultText(result: ToolResult): string {
  const notes = [
    ...(result.shadow
      ? [shadowNote(result.shadow, result.ok && result.command?.code === "running")]
      : []),
    ...(result.gap ? [diskGapNote(result.gap)] : []),
  ];
  const note = notes.map((each) => `[${each}]\n`).join("");
  if (result.ok) return note + result.output;
  const { category, message, recovery } = result.error;
  // A message of several lines may end with a line of a file.
  const gap = message.includes("\n") ? "\n" : " ";
  return `${note}Error (${category}): ${message}${recovery === null ? "" : gap + recovery}`;
}
