import { dominantEol, type Eol, splitLines, type TextLine } from "../../base/text/lines.ts";
import { lineStarts } from "../../base/text/lineTable.ts";

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
