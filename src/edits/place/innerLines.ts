import { err, ok, type Result } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import {
  lineBreakNear,
  lineEnd,
  lineStart,
  nextLine,
  type OffsetRange,
  previousLineEnd,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import type { SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { AddressedLines, EditOp } from "../block.ts";
import type { PlacedEdit, TextEdit } from "../text/changeSet.ts";
import { type FileLines, type Neighbors, neighborsOf } from "../text/fileLines.ts";
import { linePlace } from "./lineChange.ts";

/** An edit that an earlier block made, in offsets of the text it was made in. */
export interface EarlierEdit extends TextEdit {
  readonly target: string;
}

/** Lines in a text that blocks changed, up to the last one's end; one offset for an insertion. */
export interface InnerLines extends OffsetRange {
  /** The line break of the lines. */
  readonly eol: string;
  /** What separates inserted lines from those around them; "" for lines that are replaced. */
  readonly before: string;
  readonly after: string;
  /** In the snapshot. */
  readonly neighbors: Neighbors;
}

/** Where lines of the snapshot `file` are in `text` after `earlier` edits, inside the element. */
export function innerLines(
  file: FileLines,
  lines: AddressedLines,
  op: EditOp,
  earlier: readonly EarlierEdit[],
  text: string,
  element: SyntaxElement | null,
): Result<InnerLines, BlockReason> {
  const place = linePlace(file, lines.start, lines.end, op);
  if (!place.ok) return place;
  const { start: first, end: stop } = place.value;
  const final = file.lines.at(-1);
  // `starts` counts a line break after the last line, also where the snapshot has none.
  const snapshotEnd = final
    ? (file.starts[file.lines.length - 1] ?? 0) + final.text.length + final.eol.length
    : 0;
  const at = (line: number) => Math.min(file.starts[line] ?? 0, snapshotEnd);
  const last = stop > first ? at(stop - 1) + (file.lines[stop - 1]?.text.length ?? 0) : at(first);
  const moved = afterEdits({ start: at(first), end: last }, stop > first, earlier);
  if ("target" in moved) return err({ code: "changed-by-earlier-block", target: moved.target });
  if (element && !isWithin(text, element, moved, stop > first)) {
    const { path, range } = element;
    return err({
      code: "outside-element",
      path,
      start: lineNumberAt(text, range.start),
      end: lineNumberAt(text, range.end),
    });
  }
  const eol = lineBreakNear(text, moved.start, file.eol);
  const inserts = first === stop;
  const startsLine = lineStart(text, moved.start) === moved.start;
  const breaks = {
    before: inserts && !startsLine ? eol : "",
    after: inserts && startsLine ? eol : "",
  };
  const neighbors = {
    ...neighborsOf(file, first, stop),
    standingAbove: filledLineBefore(text, moved.start),
  };
  return ok({ ...moved, eol, ...breaks, neighbors });
}

/** The last line with text before `offset`; "" for none. */
function filledLineBefore(text: string, offset: number): string {
  const end = skipSpaceBack(text, offset);
  return text.slice(lineStart(text, end), end).trimEnd();
}

/** True where lines, or a point between lines, are inside an element or its comment. */
function isWithin(
  text: string,
  { range, commentStart }: SyntaxElement,
  { start, end }: OffsetRange,
  isLine: boolean,
): boolean {
  return (
    lineStart(text, commentStart) <= start &&
    end <= (isLine ? lineEnd(text, range.end) : nextLine(text, range.end))
  );
}

/** A range after edits of the text; the edit that changed it where one did. */
function afterEdits(
  { start, end }: OffsetRange,
  isLine: boolean,
  edits: readonly EarlierEdit[],
): OffsetRange | EarlierEdit {
  let [from, to] = [start, end];
  for (const edit of edits) {
    // A blank line is its line break.
    const stop = isLine && from === to ? from + 1 : to;
    if (edit.start < stop && from < edit.end) return edit;
    if (edit.end > from) continue;
    const shift = edit.newText.length - (edit.end - edit.start);
    from += shift;
    to += shift;
  }
  return { start: from, end: to };
}

/** The edit that puts a body at lines; an empty one deletes them with a line break. */
export function innerLinesEdit(
  text: string,
  { start, end, eol, before, after }: InnerLines,
  body: readonly string[],
): PlacedEdit {
  if (body.length === 0) {
    const next = nextLine(text, end);
    const from = next === end ? previousLineEnd(text, start) : start;
    return { start: from, end: next, newText: "", written: { start: from, end: from } };
  }
  const lines = body.join(eol);
  const from = start + before.length;
  return {
    start,
    end,
    newText: before + lines + after,
    written: { start: from, end: from + lines.length },
  };
}
