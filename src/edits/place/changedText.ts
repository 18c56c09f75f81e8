import { type OffsetRange, previousLineEnd } from "../../base/text/scan.ts";
import type { FileLines } from "../text/fileLines.ts";
import type { LineChange, LinePlace } from "./lineChange.ts";
import type { StreamingPlace } from "./streamingText.ts";

/**
 * A file's text with changes of its lines that do not overlap; at the same place, they stay in
 * their order. A final line break, or its absence, stays.
 */
export class ChangedText {
  private readonly file: FileLines;
  private readonly changes: LineChange[] = [];
  private whole: string | null = null;

  constructor(file: FileLines, changes: readonly LineChange[] = []) {
    this.file = file;
    for (const change of changes) this.put(change);
  }

  get text(): string {
    this.whole ??= this.toEnd(this.changes, 0);
    return this.whole;
  }

  put(change: LineChange): void {
    this.changes.splice(this.indexOf(change), 0, change);
    this.whole = null;
  }

  /** Where each change's lines are in the text, line breaks included. */
  ranges(): ReadonlyMap<LineChange, OffsetRange> {
    const { length } = this.text;
    let [at, line] = [0, 0];
    return new Map(
      this.changes.map((change) => {
        const start = at + this.unchanged(line, change.start).length;
        at = start + change.newText.length;
        line = change.end;
        return [change, { start: Math.min(start, length), end: Math.min(at, length) }];
      }),
    );
  }

  /** A place that no change overlaps: what it holds, and the text around it. */
  around({
    start,
    end,
    ...place
  }: LinePlace): Pick<StreamingPlace, "text" | "head" | "old" | "tail"> {
    const at = this.indexOf({ start, end, ...place });
    const head = concatenated(this.pieces(this.changes.slice(0, at), 0, start));
    const tail = this.toEnd(this.changes.slice(at), end);
    return { text: this.text, head, old: this.unchanged(start, end), tail };
  }

  /** The nearest line with text above a place; "" for none. */
  filledLineAbove(place: LinePlace): string {
    let line = place.start;
    for (const { start, end, newText } of this.changes.slice(0, this.indexOf(place)).reverse()) {
      const kept = this.filledBetween(end, line);
      if (kept !== "") return kept;
      const written = newText.trimEnd();
      if (written !== "")
        return written.slice(Math.max(written.lastIndexOf("\n"), written.lastIndexOf("\r")) + 1);
      line = start;
    }
    return this.filledBetween(0, line);
  }

  /** How many changes come before a place. */
  private indexOf(place: LinePlace): number {
    return this.changes.findLastIndex((change) => compare(change, place) <= 0) + 1;
  }

  /** From a line to another one. */
  private pieces(changes: readonly LineChange[], from: number, to: number): string[] {
    const pieces: string[] = [];
    let line = from;
    for (const { start, end, newText } of changes) {
      pieces.push(this.unchanged(line, start), newText);
      line = end;
    }
    return [...pieces, this.unchanged(line, to)];
  }

  /** From a line to the file's end, whose last line break the file may not have. */
  private toEnd(changes: readonly LineChange[], from: number): string {
    const pieces = this.pieces(changes, from, this.file.lines.length);
    const last = pieces.findLastIndex((piece) => piece !== "");
    const piece = pieces[last] ?? "";
    if (piece !== "" && !this.file.terminated)
      pieces[last] = piece.slice(0, previousLineEnd(piece, piece.length));
    return concatenated(pieces);
  }

  private unchanged(first: number, end: number): string {
    const { text, starts } = this.file;
    return text.slice(starts[first], starts[end]);
  }

  private filledBetween(first: number, end: number): string {
    const filled = this.file.lines.slice(first, end).findLast(({ text }) => text.trim() !== "");
    return filled?.text.trimEnd() ?? "";
  }
}

/** Nothing is copied before the text is read. */
function concatenated(pieces: readonly string[]): string {
  return pieces.reduce((text, piece) => text + piece, "");
}

function compare(a: LinePlace, b: LinePlace): number {
  const rank = (place: LinePlace) => (place.start < place.end ? 2 : place.after ? 0 : 1);
  return a.start - b.start || rank(a) - rank(b);
}
