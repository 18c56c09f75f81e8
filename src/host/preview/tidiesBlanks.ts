import type { TextEdit } from "../../edits/reviewPlan.ts";

/** True when edits do what an editor may do to any text that it saves: take blanks off line ends and empty lines off the end, or end the last line. */
export function tidiesBlanks(before: string, edits: readonly TextEdit[]): boolean {
  return edits.every(({ start, end, newText }) => {
    const removed = before.slice(start, end);
    if (start === before.length) return newText === "\n" || newText === "\r\n";
    if (newText !== "" || removed.trim() !== "") return false;
    return end === before.length || (!removed.includes("\n") && /[\r\n]/.test(before[end] ?? ""));
  });
}
