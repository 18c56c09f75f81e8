import { createPatch, diffArrays } from "diff";
import { splitLines } from "../../base/text/lines.ts";

/** Half-open range of 0-based lines. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A run of differing lines, 0-based and half-open, and its UTF-16 offsets, on both sides. */
export interface LineDifference {
  readonly beforeLines: LineRange;
  readonly afterLines: LineRange;
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** The most added and removed lines, about 0.1 s of work; beyond it all is one difference. */
const MAX_CHANGED_LINES = 1_000;

/** The differences between two texts, line breaks included, in order, at a bounded cost. */
export function lineDiff(before: string, after: string): LineDifference[] {
  if (before === after) return [];
  const a = pieces(before);
  const b = pieces(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail++;
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

/** The differences between lines, whatever they end with. */
export function lineDiffOf(before: readonly string[], after: readonly string[]): LineDifference[] {
  const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  return lineDiff(joined(before), joined(after));
}

/**
 * The hunks of a unified diff with two lines of context, without file headers; null when the
 * texts are equal or differ in more than {@link MAX_CHANGED_LINES} lines.
 */
export function unifiedDiff(before: string, after: string): string | null {
  if (before === after) return null;
  const patch = createPatch("file", before, after, undefined, undefined, {
    context: 2,
    maxEditLength: MAX_CHANGED_LINES,
  });
  if (patch === undefined) return null;
  const start = patch.indexOf("@@");
  return start < 0 ? null : patch.slice(start).trimEnd();
}

/** Half-open 0-based lines on both sides. */
interface Run {
  readonly a0: number;
  readonly b0: number;
  a1: number;
  b1: number;
}

function middleRuns(a: string[], b: string[]): Run[] {
  const parts =
    a.length > 0 && b.length > 0
      ? diffArrays(a, b, { maxEditLength: MAX_CHANGED_LINES })
      : undefined;
  const runs: Run[] = [];
  let run: Run | null = null;
  let a1 = 0;
  let b1 = 0;
  for (const { added, removed, value } of parts ?? []) {
    const [a0, b0] = [a1, b1];
    if (!added) a1 += value.length;
    if (!removed) b1 += value.length;
    if (!added && !removed) run = null;
    else if (run) Object.assign(run, { a1, b1 });
    else {
      run = { a0, b0, a1, b1 };
      runs.push(run);
    }
  }
  return parts ? runs : [{ a0: 0, b0: 0, a1: a.length, b1: b.length }];
}

/** Lines with their breaks; a missing final newline shows as a changed last line. */
function pieces(text: string): string[] {
  const lines = splitLines(text).map((line) => line.text + line.eol);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function offsetsOf(lines: readonly string[]): number[] {
  let offset = 0;
  return [0, ...lines.map((line) => (offset += line.length))];
}
