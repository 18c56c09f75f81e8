import { lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../syntax/syntax.ts";
import { indentOf } from "../text/indent.ts";

/** Where a block's lines appear in a text while they stream. */
export interface StreamingPlace {
  readonly text: string;
  /** The text before them, what they replace ("" for an insertion), and the text after it. */
  readonly head: string;
  readonly old: string;
  readonly tail: string;
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
  /** Where each old line begins. */
  private readonly oldStarts: readonly number[];
  private written = "";
  private count = 0;
  private shift: { readonly from: number; readonly to: string } | null = null;

  constructor(place: StreamingPlace) {
    this.place = place;
    this.oldStarts = lineStarts(place.old);
  }

  /** A line of the block is complete. */
  addLine(line: string): void {
    this.written += (this.count > 0 ? this.place.eol : "") + this.shifted(line);
    this.count += 1;
  }

  /** The text with the lines so far, and their range. */
  now(): { readonly text: string; readonly range: OffsetRange } {
    const { head, old, tail, before, after, eol, terminated } = this.place;
    const start = head.length;
    if (this.count === 0) return { text: this.place.text, range: { start, end: start } };
    const body = before + this.written;
    const restStart = this.oldStarts[this.count] ?? old.length;
    const rest = old.slice(restStart);
    const end = rest !== "" || terminated ? eol : after;
    return { text: head + body + end + rest + tail, range: { start, end: start + body.length } };
  }

  private shifted(line: string): string {
    const { indent } = this.place;
    if (indent === null || line.trim() === "") return line;
    this.shift ??= { from: indentOf(line).length, to: indent };
    return this.shift.to + line.slice(Math.min(this.shift.from, indentOf(line).length));
  }
}

/** The parts of a flat text around a range of UTF-16 offsets. */
export function textAround(text: string, { start, end }: OffsetRange): Pick<StreamingPlace, "text" | "head" | "old" | "tail"> {
  return { text, head: text.slice(0, start), old: text.slice(start, end), tail: text.slice(end) };
}
