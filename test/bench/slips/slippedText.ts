import type { LineDifference } from "../../../src/edits/text/lineDiff.ts";
import type { SlipCommit } from "./slipCommit.ts";

/** A file that differs from the one before the commit, and what the commit means there. */
export interface SlippedText {
  readonly file: string;
  readonly meant: string;
}

/**
 * A text of these lines with the commit's line break; the last line has one where the file before
 * has one.
 */
export function fileText({ pair, eol }: SlipCommit, lines: readonly string[]): string {
  const text = lines.map((line) => line + eol).join("");
  return pair.before.endsWith(eol) || pair.before === "" ? text : text.slice(0, -eol.length);
}

/**
 * Replaces `count` lines from `at` on (0-based) in the file and in what is meant, with the same
 * lines in both; null where the commit changes them.
 */
export function editBoth(
  commit: SlipCommit,
  at: number,
  count: number,
  lines: readonly string[],
): SlippedText | null {
  const { old, now, hunks } = commit;
  if (hunks.some(({ beforeLines }) => beforeLines.start < at + count && at < beforeLines.end))
    return null;
  if (
    count > 0 &&
    hunks.some(
      ({ beforeLines: { start, end } }) => start === end && at < start && start < at + count,
    )
  )
    return null;
  const moved = at + shiftAt(hunks, at);
  return {
    file: fileText(commit, old.toSpliced(at, count, ...lines)),
    meant: fileText(commit, now.toSpliced(moved, count, ...lines)),
  };
}

/** How far the commit moves the line at `at`. */
function shiftAt(hunks: readonly LineDifference[], at: number): number {
  const last = hunks.findLast(({ beforeLines }) => beforeLines.end <= at);
  return last ? last.afterLines.end - last.beforeLines.end : 0;
}

/**
 * Changes one old line of a hunk in the file. What is meant keeps that line as the user has it, and
 * has all other changes: where the hunk has as many new lines as old ones, the rest of the hunk,
 * too.
 */
export function editChanged(
  commit: SlipCommit,
  hunk: LineDifference,
  at: number,
  line: string,
): SlippedText {
  const { old, now } = commit;
  const { beforeLines, afterLines } = hunk;
  const file = old.toSpliced(at, 1, line);
  const count = beforeLines.end - beforeLines.start;
  const byLine = count === afterLines.end - afterLines.start;
  const meant = byLine
    ? now.toSpliced(afterLines.start + at - beforeLines.start, 1, line)
    : now.toSpliced(
        afterLines.start,
        afterLines.end - afterLines.start,
        ...file.slice(beforeLines.start, beforeLines.end),
      );
  return { file: fileText(commit, file), meant: fileText(commit, meant) };
}

/**
 * True when `result` is `file` with some of the changes that lead to `meant`, and nothing else.
 * `hunks` are those of the two texts.
 */
export function isPart(
  file: string,
  meant: string,
  hunks: readonly LineDifference[],
  result: string,
): boolean {
  let reached = new Set([0]);
  let at = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    const gap = file.slice(at, beforeStart);
    const choices = [file.slice(beforeStart, beforeEnd), meant.slice(afterStart, afterEnd)];
    const next = new Set<number>();
    for (const from of reached) {
      if (!result.startsWith(gap, from)) continue;
      for (const choice of choices)
        if (result.startsWith(choice, from + gap.length))
          next.add(from + gap.length + choice.length);
    }
    reached = next;
    at = beforeEnd;
  }
  const rest = file.slice(at);
  return [...reached].some((from) => result.slice(from) === rest);
}
