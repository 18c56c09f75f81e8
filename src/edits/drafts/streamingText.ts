import { lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../syntax/syntax.ts";
import { indentOf } from "../text/indent.ts";

/** Where a block's lines appear in a text while they stream. */
export interface StreamingPlace {
  readonly text: string;
  /** What they replace, in UTF-16 offsets; empty for an insertion. */
  readonly range: OffsetRange;
  readonly before: string;
  readonly after: string;
  /** True when every line, including the last, has its own line break. */
  readonly terminated: boolean;
  /** The indent of the first line, with the others shifted alike; null keeps theirs. */
  readonly indent: string | null;
  readonly eol: string;
}

/**
 * The text while a block streams into it: its lines replace the old ones from the top. A step only concatenates strings, so its cost
 * does not depend on the text's length.
 */
export class StreamingText {
  private readonly place: StreamingPlace;
  private readonly head: string;
  private readonly tail: string;
  private readonly old: string;
  /** Where each old line begins in `old`. */
  private readonly oldStarts: readonly number[];
  private written = "";
  private count = 0;
  private shift: { readonly from: number; readonly to: string } | null = null;

  constructor(place: StreamingPlace) {
    this.place = place;
    this.head = place.text.slice(0, place.range.start);
    this.tail = place.text.slice(place.range.end);
    this.old = place.text.slice(place.range.start, place.range.end);
    this.oldStarts = lineStarts(this.old);
  }

  /** A line of the block is complete. */
  addLine(line: string): void {
    this.written += (this.count > 0 ? this.place.eol : "") + this.shifted(line);
    this.count += 1;
  }

  /** The text with the lines so far, and their range. */
  now(): { readonly text: string; readonly range: OffsetRange } {
    const { before, after, eol, terminated } = this.place;
    const start = this.head.length;
    if (this.count === 0) return { text: this.place.text, range: { start, end: start } };
    const body = before + this.written;
    const restStart = this.oldStarts[this.count] ?? this.old.length;
    const rest = this.old.slice(restStart);
    const end = rest !== "" || terminated ? eol : after;
    return { text: this.head + body + end + rest + this.tail, range: { start, end: start + body.length } };
  }

  private shifted(line: string): string {
    const { indent } = this.place;
    if (indent === null || line.trim() === "") return line;
    this.shift ??= { from: indentOf(line).length, to: indent };
    return this.shift.to + line.slice(Math.min(this.shift.from, indentOf(line).length));
  }
}
