import { type OffsetRange, previousLineEnd } from "../../base/text/scan.ts";
import type { FileLines, LineChange, LinePlace } from "./lineChange.ts";
import type { StreamingPlace } from "./streamingText.ts";

/** A change, and the text before its lines. */
interface PlacedChange {
  readonly change: LineChange;
  readonly head: string;
}

/**
 * A file's text with changes of its lines that do not overlap; at the same place, they stay in
 * their order. A final line break, or its absence, stays. Texts are only concatenated, so that a
 * change below the others costs nothing for what is above it.
 */
export class ChangedText {
  private readonly file: FileLines;
  /** Sorted by their places. */
  private readonly placed: PlacedChange[] = [];
  private whole: string | null = null;

  constructor(file: FileLines, changes: readonly LineChange[] = []) {
    this.file = file;
    for (const change of changes) this.put(change);
  }

  get text(): string {
    const last = this.placed.at(-1);
    const above = last ? [last.head, last.change.newText] : [];
    this.whole ??= this.joined([...above, this.unchanged(last?.change.end ?? 0, this.lineCount)]);
    return this.whole;
  }

  put(change: LineChange): void {
    const at = this.indexOf(change);
    const moved = this.placed.splice(at).map((placed) => placed.change);
    for (const next of [change, ...moved])
      this.placed.push({ change: next, head: this.headAt(this.placed.length, next.start) });
    this.whole = null;
  }

  /** Where each change's lines are in the text, line breaks included. */
  ranges(): ReadonlyMap<LineChange, OffsetRange> {
    const { length } = this.text;
    return new Map(
      this.placed.map(({ change, head }) => [
        change,
        {
          start: Math.min(head.length, length),
          end: Math.min(head.length + change.newText.length, length),
        },
      ]),
    );
  }

  /** A place that no change overlaps: what it holds, and the text around it. */
  around(place: LinePlace): Pick<StreamingPlace, "text" | "head" | "old" | "tail"> {
    const at = this.indexOf(place);
    const head = this.headAt(at, place.start);
    const old = this.unchanged(place.start, place.end);
    return { text: this.text, head, old, tail: this.tailFrom(at, place.end) };
  }

  /** The nearest line with text above a place; "" for none. */
  filledLineAbove(place: LinePlace): string {
    let line = place.start;
    for (let at = this.indexOf(place) - 1; at >= 0; at--) {
      const change = this.placed[at]?.change;
      if (!change) break;
      const kept = this.filledBetween(change.end, line);
      if (kept !== "") return kept;
      const written = change.newText.trimEnd();
      if (written !== "")
        return written.slice(Math.max(written.lastIndexOf("\n"), written.lastIndexOf("\r")) + 1);
      line = change.start;
    }
    return this.filledBetween(0, line);
  }

  /** How many changes come before a place. */
  private indexOf(place: LinePlace): number {
    return this.placed.findLastIndex(({ change }) => compare(change, place) <= 0) + 1;
  }

  /** The text with the first `count` changes, up to a line of the file. */
  private headAt(count: number, line: number): string {
    const last = this.placed[count - 1];
    if (!last) return this.unchanged(0, line);
    return last.head + last.change.newText + this.unchanged(last.change.end, line);
  }

  /** The text from a line of the file on, with the changes from the one at `index` on. */
  private tailFrom(index: number, line: number): string {
    const pieces: string[] = [];
    let from = line;
    for (const { change } of this.placed.slice(index)) {
      pieces.push(this.unchanged(from, change.start), change.newText);
      from = change.end;
    }
    return this.joined([...pieces, this.unchanged(from, this.lineCount)]);
  }

  /** Pieces up to the file's end, whose last line break the file may not have. */
  private joined(pieces: readonly string[]): string {
    const last = pieces.findLastIndex((piece) => piece !== "");
    let text = "";
    for (const [index, piece] of pieces.entries()) {
      const isCut = index === last && !this.file.terminated;
      text += isCut ? piece.slice(0, previousLineEnd(piece, piece.length)) : piece;
    }
    return text;
  }

  private get lineCount(): number {
    return this.file.lines.length;
  }

  private unchanged(first: number, end: number): string {
    const { text, starts } = this.file;
    return text.slice(starts[first], starts[end]);
  }

  private filledBetween(first: number, end: number): string {
    for (let line = end - 1; line >= first; line--) {
      const text = this.file.lines[line]?.text.trimEnd() ?? "";
      if (text !== "") return text;
    }
    return "";
  }
}

function compare(a: LinePlace, b: LinePlace): number {
  const rank = (place: LinePlace) => (place.start < place.end ? 2 : place.after ? 0 : 1);
  return a.start - b.start || rank(a) - rank(b);
}
