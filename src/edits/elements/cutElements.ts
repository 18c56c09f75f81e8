import type { LineSpan } from "../../ports/editorState.ts";
import type { OutlineEntry } from "../../syntax/syntax.ts";
import { countNames, unnumbered } from "./pathNames.ts";

/** Lines that are replaced: 1-based and inclusive, with their texts. */
export interface ReplacedLines {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/**
 * Tells, for the outline before and after all changes, the path of the element whose head replaced
 * lines hold without its end, and of whose name there are fewer afterwards. Where the new lines
 * begin another element that holds the rest, it has another name.
 */
export function cutElements(
  before: readonly OutlineEntry[],
  after: readonly OutlineEntry[],
): (lines: ReplacedLines, written: LineSpan) => string | null {
  const now = countNames(after);
  const then = countNames(before);
  const isFewer = (name: string) => (now.get(name) ?? 0) < (then.get(name) ?? 0);
  // Items of a list have no name that the text holds.
  const lost = before.filter(
    ({ path }) => isFewer(unnumbered(path)) && !/(?:^|-)item(?:#\d+)?$/.test(path),
  );
  return ({ start, end, texts }, { first, last }) => {
    const filled = (from: number, to: number) =>
      texts.slice(from - start, to - start + 1).some((text) => text.trim() !== "");
    const isRenamed = () =>
      after.some(
        ({ startLine, endLine }) => first <= startLine && startLine <= last && last < endLine,
      );
    for (const { path, startLine, endLine } of lost) {
      const losesHead = start <= startLine && startLine <= end && end < endLine;
      if (losesHead && (start === startLine || filled(start, startLine - 1)) && !isRenamed())
        return path;
    }
    return null;
  };
}
