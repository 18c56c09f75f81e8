import { lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { ProposalChange } from "../../ports/review.ts";

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
  /** The lines so far as they will stand, as far as they show it; null keeps them as they are. Called once with each new line. */
  readonly shift: ((lines: readonly string[]) => readonly string[]) | null;
  readonly eol: string;
}

/** The text at one moment, with the lines so far and their range. */
export interface StreamingMoment {
  readonly text: string;
  readonly range: OffsetRange;
  /** How many lines there are. */
  readonly count: number;
}

/**
 * The text while a block streams into it: its lines replace the old ones from the top. A step only concatenates strings, so its cost
 * does not depend on the text's length, but where the block's lines are shifted it reads these again.
 */
export class StreamingText {
  private readonly place: StreamingPlace;
  /** Where each old line begins. */
  private readonly oldStarts: readonly number[];
  private readonly lines: string[] = [];
  private written = "";

  constructor(place: StreamingPlace) {
    this.place = place;
    this.oldStarts = lineStarts(place.old);
  }

  /** A line of the block is complete. */
  addLine(line: string): void {
    const { eol, shift } = this.place;
    this.lines.push(line);
    if (shift) this.written = shift(this.lines).join(eol);
    else this.written += (this.lines.length > 1 ? eol : "") + line;
  }

  now(): StreamingMoment {
    const count = this.lines.length;
    const { head, old, tail, before } = this.place;
    if (count === 0) return { text: this.place.text, range: this.empty, count };
    const start = head.length;
    const body = before + this.written;
    const text = head + body + this.endAt(count) + old.slice(this.restStart(count)) + tail;
    return { text, range: { start, end: start + body.length }, count };
  }

  /** The step from an earlier moment to {@link now}, or from the text without any lines; null where more than the lines changes between. */
  since(moment: StreamingMoment | null): ProposalChange | null {
    const count = this.lines.length;
    const { before, old, head, tail, text } = this.place;
    const earlier = moment ?? { text, range: this.empty, count: 0 };
    // A last line without a line end gets one.
    const addsLineEnd = head.length + old.length + tail.length !== text.length;
    if (addsLineEnd && (earlier.count === 0) !== (count === 0)) return null;
    const { start, end } = earlier.range;
    const body = before + this.written;
    // The new line may have shown that the ones before it are to be shifted.
    if (earlier.count > 0 && !body.startsWith(earlier.text.slice(start, end))) return null;
    const restStart = earlier.count === 0 ? 0 : this.restStart(earlier.count);
    const oldEnd = earlier.count === 0 ? "" : this.endAt(earlier.count);
    const oldText = oldEnd + old.slice(restStart, count === 0 ? 0 : this.restStart(count));
    const newText = count === 0 ? "" : body.slice(end - start) + this.endAt(count);
    return { before: earlier.text, start: end, oldText, newText };
  }

  /** The place before the first line. The text may still lack the line end that comes before it. */
  private get empty(): OffsetRange {
    const { head, text } = this.place;
    const start = Math.min(head.length, text.length);
    return { start, end: start };
  }

  /** Where the old lines begin that are still there. */
  private restStart(count: number): number {
    return this.oldStarts[count] ?? this.place.old.length;
  }

  /** What stands between the lines so far and the old ones. */
  private endAt(count: number): string {
    const { after, eol, terminated, old } = this.place;
    return this.restStart(count) < old.length || terminated ? eol : after;
  }
}

/** The parts of a flat text around a range of UTF-16 offsets. */
export function aroundRange(text: string, { start, end }: OffsetRange): Pick<StreamingPlace, "text" | "head" | "old" | "tail"> {
  return { text, head: text.slice(0, start), old: text.slice(start, end), tail: text.slice(end) };
}
