import { createPatch, diffArrays } from "diff";
import { splitLines } from "../base/text.ts";

/** One run of differing lines: half-open 0-based lines and the same range in UTF-16 offsets, on both sides. */
export interface LineDifference {
  readonly beforeLines: { readonly start: number; readonly end: number };
  readonly afterLines: { readonly start: number; readonly end: number };
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/**
 * Maximum number of added and removed lines, about 0.1 s of work. Beyond it everything between the equal ends is one difference. Not a
 * time limit, so that the same texts always give the same differences.
 */
const MAX_CHANGED_LINES = 1_000;

/** The differences between two texts, line breaks included, in order. The cost is bounded for any two texts. */
export function lineDiff(before: string, after: string): LineDifference[] {
  if (before === after) return [];
  const a = pieces(before);
  const b = pieces(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const runs = middleRuns(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const offsetsA = offsetsOf(a);
  const offsetsB = offsetsOf(b);
  const at = (offsets: readonly number[], line: number) => offsets[line] ?? 0;
  return runs.map((run) => {
    const beforeLines = { start: head + run.a0, end: head + run.a1 };
    const afterLines = { start: head + run.b0, end: head + run.b1 };
    return {
      beforeLines,
      afterLines,
      beforeStart: at(offsetsA, beforeLines.start),
      beforeEnd: at(offsetsA, beforeLines.end),
      afterStart: at(offsetsB, afterLines.start),
      afterEnd: at(offsetsB, afterLines.end),
    };
  });
}

/**
 * The hunks of a unified diff with two lines of context, without file headers; null when the
 * texts are equal or differ in more than {@link MAX_CHANGED_LINES} lines.
 */
export function unifiedDiff(before: string, after: string): string | null {
  if (before === after) return null;
  const patch = createPatch("file", before, after, undefined, undefined, { context: 2, maxEditLength: MAX_CHANGED_LINES });
  if (patch === undefined) return null;
  const start = patch.indexOf("@@");
  return start < 0 ? null : patch.slice(start).trimEnd();
}

interface Run {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

function middleRuns(a: string[], b: string[]): Run[] {
  const whole = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  if (a.length === 0 || b.length === 0) return whole;
  const parts = diffArrays(a, b, { maxEditLength: MAX_CHANGED_LINES });
  if (!parts) return whole;
  const runs: Run[] = [];
  let ai = 0;
  let bi = 0;
  let open: { a0: number; b0: number } | null = null;
  for (const part of parts) {
    if (part.added || part.removed) {
      open ??= { a0: ai, b0: bi };
      if (part.added) bi += part.value.length;
      else ai += part.value.length;
      continue;
    }
    if (open) runs.push({ ...open, a1: ai, b1: bi });
    open = null;
    ai += part.value.length;
    bi += part.value.length;
  }
  if (open) runs.push({ ...open, a1: ai, b1: bi });
  return runs;
}

/** Lines with their breaks, without an empty last one, so that a missing final newline shows as a changed line. */
function pieces(text: string): string[] {
  const lines = splitLines(text).map((line) => line.text + line.eol);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function offsetsOf(lines: readonly string[]): number[] {
  const offsets = [0];
  let offset = 0;
  for (const line of lines) {
    offset += line.length;
    offsets.push(offset);
  }
  return offsets;
}
