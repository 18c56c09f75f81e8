import { dominantEol, type Eol, joinLines } from "../../base/text/lines.ts";
import type { OffsetRange } from "../../syntax/syntax.ts";
import { type FileLines, type LineChange, type LinePlace, newLines } from "./lineChange.ts";

/** A change by offsets of the file, and the text before it once that is known. */
interface Entry extends OffsetRange {
  readonly change: LineChange;
  readonly newText: string;
}

/** A place in a text: what it holds, and the text around it. */
export interface TextAround {
  readonly head: string;
  readonly old: string;
  readonly tail: string;
}

/**
 * A file's text with changes of its lines, which must not overlap. New lines get the line breaks of the lines they replace, else of their
 * neighbors, else the file's. A final line break, or its absence, stays. Changes that come in the order of the file cost what they hold.
 */
export class LineText {
  private readonly file: FileLines;
  private readonly usual: Exclude<Eol, "">;
  /** The file with a break after its last line, too. */
  private readonly text: string;
  private readonly starts: readonly number[];
  /** How long the break after the last line is. */
  private readonly endLength: number;
  private entries: Entry[] = [];
  /** The text before each entry's own, as far as known. */
  private heads: string[] = [];
  private whole: string | null = null;

  constructor(file: FileLines, eol: Exclude<Eol, "">) {
    this.file = file;
    this.usual = dominantEol(file.lines) ?? eol;
    const { lines } = file;
    const last = lines.at(-1)?.eol || lines.at(-2)?.eol || this.usual;
    this.text = joinLines(lines) + (lines.at(-1)?.eol === "" ? last : "");
    this.endLength = last.length;
    const starts = [0];
    let offset = 0;
    for (const { text, eol: own } of lines) {
      offset += text.length + (own || last).length;
      starts.push(offset);
    }
    this.starts = starts;
  }

  /** Adds a change, after those at the same place. Gives its range where it leaves all others as they are, else null. */
  add(change: LineChange): OffsetRange | null {
    const at = this.indexOf(change);
    const newText = joinLines(newLines(this.file, change, this.usual));
    this.entries.splice(at, 0, { change, start: this.starts[change.start] ?? 0, end: this.starts[change.end] ?? 0, newText });
    this.forget(at);
    if (at < this.entries.length - 1 || !this.file.terminated) return null;
    const start = this.headOf(at).length;
    return { start, end: start + newText.length };
  }

  remove(change: LineChange): void {
    const at = this.entries.findIndex((entry) => entry.change === change);
    if (at < 0) return;
    this.entries.splice(at, 1);
    this.forget(at);
  }

  /** The text with every change. */
  toString(): string {
    this.whole ??= this.joined();
    return this.whole;
  }

  /** Where each change's lines are in the text, line breaks included. */
  ranges(): ReadonlyMap<LineChange, OffsetRange> {
    const { length } = this.toString();
    return new Map(
      this.entries.map(({ change, newText }, index) => {
        const start = this.headOf(index).length;
        return [change, { start: Math.min(start, length), end: Math.min(start + newText.length, length) }] as const;
      }),
    );
  }

  /** A place that no change overlaps. */
  around(place: LinePlace): TextAround {
    const at = this.indexOf(place);
    const [start, end] = [this.starts[place.start] ?? 0, this.starts[place.end] ?? 0];
    let tail = "";
    let from = end;
    for (const entry of this.entries.slice(at)) {
      tail += this.text.slice(from, entry.start) + entry.newText;
      from = entry.end;
    }
    return { head: this.upTo(at, start), old: this.text.slice(start, end), tail: tail + this.text.slice(from, this.lastEnd()) };
  }

  private joined(): string {
    const { entries, text } = this;
    const rest = text.slice(entries.at(-1)?.end ?? 0, this.lastEnd());
    const before = this.upTo(entries.length, entries.at(-1)?.end ?? 0);
    if (this.file.terminated || before === "" || (entries.at(-1)?.end ?? 0) < text.length) return before + rest;
    return before.replace(/(?:\r\n|\r|\n)$/, "");
  }

  /** Where the file's own text ends. */
  private lastEnd(): number {
    return this.file.terminated ? this.text.length : this.text.length - this.endLength;
  }

  /** The text with the entries before `index`, up to an offset of the file after them. */
  private upTo(index: number, offset: number): string {
    const entry = this.entries[index - 1];
    return entry ? this.headOf(index - 1) + entry.newText + this.text.slice(entry.end, offset) : this.text.slice(0, offset);
  }

  private headOf(index: number): string {
    for (let at = this.heads.length; at <= index; at++) this.heads.push(this.upTo(at, this.entries[at]?.start ?? 0));
    return this.heads[index] ?? "";
  }

  /** Where a place belongs among the entries. */
  private indexOf(place: LinePlace): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.entries[middle];
      if (entry && compare(entry.change, place) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private forget(from: number): void {
    this.heads.length = Math.min(this.heads.length, from);
    this.whole = null;
  }
}

function compare(a: LinePlace, b: LinePlace): number {
  const rank = (place: LinePlace) => (place.start < place.end ? 2 : place.after ? 0 : 1);
  return a.start - b.start || rank(a) - rank(b);
}
