import type { TextEdit } from "../../edits/text/changeSet.ts";

/** True for edits that any save may make: trim trailing whitespace and final newlines, or insert a final newline. */
export function isWhitespaceCleanup(before: string, edits: readonly TextEdit[]): boolean {
  return edits.every(({ start, end, newText }) => {
    const removed = before.slice(start, end);
    if (start === before.length) return newText === "\n" || newText === "\r\n";
    if (newText !== "" || removed.trim() !== "") return false;
    return end === before.length || (!removed.includes("\n") && /[\r\n]/.test(before[end] ?? ""));
  });
}
