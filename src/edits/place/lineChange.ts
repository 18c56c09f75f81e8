import { err, ok, type Result } from "../../base/result.ts";
import { dominantEol, type Eol, splitLines, type TextLine } from "../../base/text/lines.ts";
import { lineStarts } from "../../base/text/lineTable.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EditOp } from "../block.ts";

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

/** A file by lines, without the empty one that the editor shows after a final line break. */
export interface FileLines {
  readonly lines: readonly TextLine[];
  /** The number of lines the editor shows. */
  readonly count: number;
  /** True when the last line ends with a line break, and for an empty file. */
  readonly terminated: boolean;
  /** The break that most lines end with. */
  readonly eol: Exclude<Eol, "">;
  /** The file with a break after its last line, too. */
  readonly text: string;
  /** Where each line begins in the text; one more entry for its end. */
  readonly starts: readonly number[];
}

/** A text by lines. */
export function fileLines(text: string): FileLines {
  const split = splitLines(text);
  const terminated = split.at(-1)?.text === "";
  const lines = terminated ? split.slice(0, -1) : split;
  const eol = dominantEol(lines) ?? "\n";
  const whole = terminated ? text : text + (lines.at(-2)?.eol || eol);
  const starts = lineStarts(whole).slice(0, lines.length + 1);
  return { lines, count: split.length, terminated, eol, text: whole, starts };
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

/** The lines of a file just outside of a place, "" at its ends. */
export interface FileNeighbors {
  readonly above: string;
  readonly below: string;
  /** The nearest two lines with text on each side, nearest first. */
  readonly textsAbove: readonly string[];
  readonly textsBelow: readonly string[];
}

/** The same, and the nearest line with text above as earlier blocks leave it; "" for none. */
export interface Neighbors extends FileNeighbors {
  readonly standingAbove: string;
}

/** The nearest line with text above, and the one below, "" for none. */
export function textsAround(neighbors: Neighbors | null): readonly [above: string, below: string] {
  return [neighbors?.textsAbove[0] ?? "", neighbors?.textsBelow[0] ?? ""];
}

/** The lines that show how a body is indented: those it replaces, else those around it. */
export function linesNear(old: readonly string[], neighbors: Neighbors | null): readonly string[] {
  return old.length > 0 ? old : textsAround(neighbors);
}

/** The neighbors of the lines from `start` to `end`, half-open and 0-based, in the file. */
export function neighborsOf({ lines }: FileLines, start: number, end: number): FileNeighbors {
  const text = (line: number) => lines[line]?.text ?? null;
  const filled = (from: number, step: 1 | -1) => {
    const found: string[] = [];
    for (let line = from; found.length < 2; line += step) {
      const next = text(line);
      if (next === null) break;
      if (next.trim() !== "") found.push(next);
    }
    return found;
  };
  return {
    above: text(start - 1) ?? "",
    below: text(end) ?? "",
    textsAbove: filled(start - 1, -1),
    textsBelow: filled(end, 1),
  };
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
