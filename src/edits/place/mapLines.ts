import { err, ok, type Result } from "../../base/result.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { AddressedLines, EditOp } from "../block.ts";
import { type FileLines, fileLines } from "../text/fileLines.ts";
import { type LineDifference, type LineRange, lineDiffOf } from "../text/lineDiff.ts";
import { linePlace } from "./lineChange.ts";

/** Why lines of one text cannot be named in another: no such place, or they differ. */
export type Unmapped =
  | { readonly kind: "refused"; readonly reason: BlockReason }
  | {
      readonly kind: "conflict";
      readonly before: readonly string[];
      readonly now: readonly string[];
    };

/**
 * Maps lines of `before` to `now`, ignoring line breaks. Changes above shift them; a change of the
 * lines themselves, or between them, is a conflict. An insertion follows the line that its address
 * names, or the end of the file.
 */
export function mapLines(
  before: string,
  now: string,
  lines: AddressedLines,
  op: EditOp,
): Result<AddressedLines, Unmapped> {
  const from = fileLines(before);
  const to = fileLines(now);
  const place = linePlace(from, lines.start, lines.end, op);
  if (!place.ok) return err({ kind: "refused", reason: place.error });
  const { start, end } = place.value;
  const afterLast = to.lines.length + 1;
  if (start >= from.lines.length && op !== "after") return ok({ start: afterLast, end: afterLast });
  if (op === "after" && lines.start > from.lines.length)
    return ok({ start: afterLast, end: afterLast });
  const named =
    start < end
      ? { start, end }
      : op === "after"
        ? { start: start - 1, end: start }
        : { start, end: start + 1 };
  const runs = lineDiffOf(texts(from), texts(to));
  if (
    runs.some(
      (run) => coversSpan(slideWindow(run, from, to), named) || touches(run.beforeLines, named),
    )
  ) {
    const found = { start: nowAt(runs, named.start, "start"), end: nowAt(runs, named.end, "end") };
    return err({ kind: "conflict", before: texts(from, named), now: texts(to, found) });
  }
  const delta = shiftAt(runs, named.start);
  return ok({ start: named.start + delta + 1, end: named.end + delta });
}

/** True when a run changes lines of the span, or inserts between them. */
function touches(run: LineRange, span: LineRange): boolean {
  return run.start < span.end && span.start < run.end;
}

/** Lines a diff could also place on the other side: which of equal ones are old is unknown. */
function slideWindow(
  { beforeLines: before, afterLines: now }: LineDifference,
  from: FileLines,
  to: FileLines,
): LineRange {
  const isInsertion = before.start === before.end;
  if (!isInsertion && now.start !== now.end) return { start: 0, end: 0 };
  const [run, file] = isInsertion ? [now, to] : [before, from];
  const textAt = (line: number) => file.lines[line]?.text;
  const { up, down } = slideOf(textAt, run);
  // A deleted line itself has changed.
  const window = { start: before.start - up, end: before.end + down };
  const passed = Array.from(
    { length: up + down },
    (_, index) => textAt(index < up ? run.start - up + index : run.end + index - up) ?? "",
  );
  const isCopy =
    up + down >= run.end - run.start ||
    passed.length > MAX_PLAIN_SLIDE ||
    passed.some((line) => HAS_WORDS.test(line));
  return isCopy ? window : { start: 0, end: 0 };
}

/** Lines that insertions slide over without being a copy: a closing bracket and a blank line. */
const MAX_PLAIN_SLIDE = 2;
const HAS_WORDS = /\w\W+\w/;

/** By how many lines a span can slide and hold the same lines. */
export function slideOf(
  textAt: (line: number) => string | undefined,
  { start, end }: LineRange,
): { readonly up: number; readonly down: number } {
  let up = 0;
  while (start - up > 0 && textAt(start - 1 - up) === textAt(end - 1 - up)) up++;
  let down = 0;
  while (textAt(end + down) !== undefined && textAt(end + down) === textAt(start + down)) down++;
  return { up, down };
}

function coversSpan(window: LineRange, span: LineRange): boolean {
  return window.start <= span.start && span.end <= window.end && window.start < window.end;
}

function shiftAt(runs: readonly LineDifference[], line: number): number {
  const last = runs.findLast((run) => run.beforeLines.end <= line);
  return last ? last.afterLines.end - last.beforeLines.end : 0;
}

/** Where a changed span begins or ends now. */
function nowAt(runs: readonly LineDifference[], boundary: number, side: "start" | "end"): number {
  const inside = runs.find(
    (run) => run.beforeLines.start < boundary && boundary < run.beforeLines.end,
  );
  if (inside) return inside.afterLines[side];
  // Lines inserted exactly at a boundary are outside of the span.
  const above = runs
    .filter((run) =>
      side === "start" ? run.beforeLines.end <= boundary : run.beforeLines.start < boundary,
    )
    .at(-1);
  return boundary + (above ? above.afterLines.end - above.beforeLines.end : 0);
}

function texts(file: FileLines, { start, end }: Partial<LineRange> = {}): string[] {
  return file.lines.slice(start, end).map((line) => line.text);
}
