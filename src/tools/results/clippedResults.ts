import { wholeBefore } from "../../base/text/clip.ts";

/** The most that is kept of all results together, in UTF-16 units. */
const TOTAL = 8_000_000;

/** A part of a kept result. */
interface ClippedText {
  readonly text: string;
  /** The offset after its last unit. */
  readonly end: number;
  /** The whole result's length in UTF-16 units. */
  readonly length: number;
}

/**
 * Clipped results, kept for `read_result` while their turn runs. Drops the oldest when they exceed
 * the limit.
 */
export class ClippedResults {
  private turnId = "";
  private lastId = 0;
  private size = 0;
  private readonly texts = new Map<string, string>();

  /** Keeps a result of turn `turnId` and returns its id. Drops the results of other turns. */
  keep(turnId: string, text: string): string {
    this.enter(turnId);
    const id = `r${++this.lastId}`;
    this.texts.set(id, text);
    this.size += text.length;
    for (const [oldest, { length }] of this.texts) {
      if (this.size <= TOTAL || oldest === id) break;
      this.texts.delete(oldest);
      this.size -= length;
    }
    return id;
  }

  /**
   * The part of a result from `offset` on, as {@link clipText} cuts it; null when the turn has no
   * such result.
   */
  read(turnId: string, id: string, offset: number, limit: number): ClippedText | null {
    this.enter(turnId);
    const text = this.texts.get(id);
    return text === undefined ? null : clipText(text, offset, limit);
  }

  private enter(turnId: string): void {
    if (turnId === this.turnId) return;
    this.turnId = turnId;
    this.texts.clear();
    this.size = 0;
  }
}

/**
 * At most `limit` UTF-16 units of `text` from `from` on, cut at a line end where that keeps at
 * least half of them.
 */
export function clipText(text: string, from: number, limit: number): ClippedText {
  const { length } = text;
  const offset = wholeBefore(text, from);
  if (length - offset <= limit) return { text: text.slice(offset), end: length, length };
  const lineEnd = text.lastIndexOf("\n", offset + limit - 1);
  const end = lineEnd > offset + limit / 2 ? lineEnd + 1 : wholeBefore(text, offset + limit);
  return { text: text.slice(offset, end), end, length };
}
