import type { OffsetRange } from "../../base/text/scan.ts";

/**
 * What edits may have changed, in the text before all of them and in the one after. Everything else
 * only moved. The `oldStart` of one edit is its `start`.
 */
export interface Change extends OffsetRange {
  readonly oldStart: number;
  readonly oldEnd: number;
}

/** Changes of a text, one after the other, and what they only moved. */
export class MovedRanges {
  /** Disjoint, in the text's order. */
  private regions: readonly Change[] = [];

  /** Where the text changed, as it is now. */
  get changed(): readonly OffsetRange[] {
    return this.regions;
  }

  /** From the first change to the last; null for none. */
  get hull(): Change | null {
    const [first, last] = [this.regions[0], this.regions.at(-1)];
    return first && last ? { ...first, end: last.end, oldEnd: last.oldEnd } : null;
  }

  /** By how much the text has become longer. */
  get delta(): number {
    const last = this.regions.at(-1);
    return last ? last.end - last.oldEnd : 0;
  }

  /** Adds a change of the text as the earlier ones left it. */
  add({ start, oldEnd, end }: Change): void {
    const delta = end - oldEnd;
    const before = this.regions.filter((region) => region.end < start);
    const after = this.regions.filter((region) => region.start > oldEnd);
    const touched = this.regions.slice(before.length, this.regions.length - after.length);
    const shift = (region: Change | undefined) => (region ? region.end - region.oldEnd : 0);
    const first = touched[0];
    const last = touched.at(-1) ?? before.at(-1);
    const from = Math.min(start, first?.start ?? start);
    const to = Math.max(oldEnd, touched.at(-1)?.end ?? oldEnd);
    const merged = {
      oldStart: from - shift(before.at(-1)),
      oldEnd: to - shift(last),
      start: from,
      end: to + delta,
    };
    this.regions = [
      ...before,
      merged,
      ...after.map((region) => ({
        ...region,
        start: region.start + delta,
        end: region.end + delta,
      })),
    ];
  }

  /** By how much a range of the old text was moved; null when a change touches it. */
  movedBy({ start, end }: OffsetRange): number | null {
    let shift = 0;
    for (const region of this.regions) {
      if (region.oldStart > end) break;
      if (region.oldEnd >= start) return null;
      shift = region.end - region.oldEnd;
    }
    return shift;
  }

  /**
   * By how much a range of the new text was moved from the old one; null when a change touches it.
   */
  movedFrom({ start, end }: OffsetRange): number | null {
    let shift = 0;
    for (const region of this.regions) {
      if (region.start > end) break;
      if (region.end >= start) return null;
      shift = region.end - region.oldEnd;
    }
    return shift;
  }
}
