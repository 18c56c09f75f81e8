import { err, ok, type Result } from "../../base/result.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EditOp } from "../block.ts";
import type { FileLines } from "../text/fileLines.ts";

/** The place of a change among a file's lines: 0-based and half-open, empty for an insertion. */
export interface LinePlace {
  readonly start: number;
  readonly end: number;
  /** True for lines that belong to the line above, so they come first at the same place. */
  readonly after: boolean;
}

/** A place and what comes there: whole lines, each with a line break. */
export interface LineChange extends LinePlace {
  readonly newText: string;
}

/** Where lines, 1-based and inclusive, are, or why nowhere; beyond the last line all appends. */
export function linePlace(
  file: FileLines,
  start: number,
  end: number,
  op: EditOp,
): Result<LinePlace, BlockReason> {
  const last = file.lines.length;
  const lineCount = Math.max(1, last);
  if (start > file.count + 1) return err({ code: "no-such-line", line: start, lineCount });
  if (start > last) {
    if (op === "remove") return err({ code: "nothing-to-remove", line: start, lineCount });
    return ok({ start: last, end: last, after: op === "after" });
  }
  if (end > file.count + 1) return err({ code: "no-such-line", line: end, lineCount });
  const stop = Math.min(end, last);
  if (op === "before") return ok({ start: start - 1, end: start - 1, after: false });
  if (op === "after") return ok({ start: stop, end: stop, after: true });
  return ok({ start: start - 1, end: stop, after: false });
}

/** True when two changes share lines, or one inserts into lines that the other replaces. */
export function linesOverlap(a: LinePlace, b: LinePlace): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The change that puts lines at a place, with the break of those lines or of their neighbors. */
export function lineChange(
  { lines, eol: usual }: FileLines,
  place: LinePlace,
  body: readonly string[],
): LineChange {
  const eol = lines[place.end - 1]?.eol || lines[place.start]?.eol || usual;
  return { ...place, newText: body.map((line) => line + eol).join("") };
}
