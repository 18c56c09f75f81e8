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
  /** What separates them from the text around; nothing, if not told. */
  readonly before?: string;
  readonly after?: string;
  /** True when every line, including the last, has its own line break. */
  readonly terminated: boolean;
  /** The lines so far as they will stand; null keeps them. Called once with each new line. */
  readonly shift?: ((lines: readonly string[]) => readonly string[]) | null;
  readonly eol: string;
}

/** The text at one moment, with the range of the lines so far. */
export interface StreamingMoment {
  readonly text: string;
  readonly range: OffsetRange;
  /** How many lines there are. */
  readonly count: number;
  /** The lines as they stood then; others may follow them. */
  readonly lines: readonly string[];
}

/**
 * The text while a block streams into it: its lines replace the old ones from the top. A step only
 * concatenates strings and reads none that are long, so its cost does not depend on the text's
 * length. Where the block's lines are shifted, it reads these again.
 */
export class StreamingText {
  private readonly place: StreamingPlace;
  private readonly oldStarts: readonly number[];
  private readonly lines: string[] = [];
  /** The lines as they stand in the text. */
  private standing: readonly string[] = this.lines;
  /** These in one text; never read here, since reading would copy all of it. */
  private written = "";
  private last: StreamingMoment | null = null;

  constructor(place: StreamingPlace) {
    this.place = place;
    this.oldStarts = lineStarts(place.old);
  }

  /** The text now, and the step to it from the last time this was asked. */
  step(): { readonly now: StreamingMoment; readonly change: ProposalChange | null } {
    const now = this.now();
    const change = this.since(this.last);
    this.last = now;
    return { now, change };
  }

  /** The text with the lines so far in place of all the old ones, and where they are in it. */
  complete(): OffsetRange & { readonly text: string } {
    const { head, tail, before = "" } = this.place;
    if (this.lines.length === 0) return { text: head + tail, start: head.length, end: head.length };
    const start = head.length + before.length;
    const body = head + before + this.written;
    return { text: body + this.endAt(this.oldStarts.length) + tail, start, end: body.length };
  }

  /** A line of the block is complete. */
  addLine(line: string): void {
    const { eol, shift } = this.place;
    this.lines.push(line);
    if (shift) {
      this.standing = shift(this.lines);
      this.written = this.standing.join(eol);
    } else this.written += (this.lines.length > 1 ? eol : "") + line;
  }

  private now(): StreamingMoment {
    const count = this.lines.length;
    const { head, old, tail, before = "" } = this.place;
    const lines = this.standing;
    if (count === 0) return { text: this.place.text, range: this.empty, count, lines };
    const start = head.length;
    const body = before + this.written;
    const text = head + body + this.endAt(count) + old.slice(this.restStart(count)) + tail;
    return { text, range: { start, end: start + body.length }, count, lines };
  }

  /** The step from an earlier moment to {@link now}; null where more than the lines changes. */
  private since(moment: StreamingMoment | null): ProposalChange | null {
    const count = this.lines.length;
    const { before = "", old, head, tail, text, eol } = this.place;
    const earlier = moment ?? { text, range: this.empty, count: 0, lines: [] };
    // A last line without a line end gets one.
    const addsLineEnd = head.length + old.length + tail.length !== text.length;
    if (addsLineEnd && (earlier.count === 0) !== (count === 0)) return null;
    // The new line may have shown that the ones before it are to be shifted.
    if (!this.keeps(earlier)) return null;
    const restStart = earlier.count === 0 ? 0 : this.restStart(earlier.count);
    const oldEnd = earlier.count === 0 ? "" : this.endAt(earlier.count);
    const oldText = oldEnd + old.slice(restStart, count === 0 ? 0 : this.restStart(count));
    const added = this.standing.slice(earlier.count).join(eol);
    const between = earlier.count === 0 ? before : earlier.count < count ? eol : "";
    const newText = count === 0 ? "" : between + added + this.endAt(count);
    return { before: earlier.text, start: earlier.range.end, oldText, newText };
  }

  /** True where the lines of an earlier moment stand as they did. */
  private keeps({ lines, count }: Pick<StreamingMoment, "lines" | "count">): boolean {
    if (lines === this.standing) return true;
    for (let at = 0; at < count; at++) if (lines[at] !== this.standing[at]) return false;
    return true;
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
    const { after = "", eol, terminated, old } = this.place;
    return this.restStart(count) < old.length || terminated ? eol : after;
  }
}

/** The parts of a flat text around a range of UTF-16 offsets. */
export function aroundRange(
  text: string,
  { start, end }: OffsetRange,
): Pick<StreamingPlace, "text" | "head" | "old" | "tail"> {
  return { text, head: text.slice(0, start), old: text.slice(start, end), tail: text.slice(end) };
}
