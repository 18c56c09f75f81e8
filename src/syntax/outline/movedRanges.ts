import type { OffsetRange } from "../../base/text/scan.ts";

/**
 * What an edit may have changed, in offsets of the old and the new text. Everything else only
 * moved.
 */
export interface Change {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** A change in both texts: before all of the changes, and after them. */
interface Region {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly start: number;
  readonly end: number;
}

/** Changes of a text, one after the other, and what they only moved. */
export class MovedRanges {
  /** Disjoint, in the text's order. */
  private regions: readonly Region[] = [];

  /** Where the text changed, as it is now. */
  get changed(): readonly OffsetRange[] {
    return this.regions;
  }

  /** From the first change to the last, and where the last one ended before; null for none. */
  get hull(): (OffsetRange & { readonly oldEnd: number }) | null {
    const [first, last] = [this.regions[0], this.regions.at(-1)];
    return first && last ? { start: first.start, end: last.end, oldEnd: last.oldEnd } : null;
  }

  /** Adds a change of the text as the earlier ones left it. */
  add({ start, oldEnd, newEnd }: Change): void {
    const delta = newEnd - oldEnd;
    const before = this.regions.filter((region) => region.end < start);
    const after = this.regions.filter((region) => region.start > oldEnd);
    const touched = this.regions.slice(before.length, this.regions.length - after.length);
    const shift = (region: Region | undefined) => (region ? region.end - region.oldEnd : 0);
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
    return this.shiftOf(start, end, ({ oldStart, oldEnd }) => [oldStart, oldEnd]);
  }

  /**
   * By how much a range of the new text was moved from the old one; null when a change touches it.
   */
  movedFrom({ start, end }: OffsetRange): number | null {
    return this.shiftOf(start, end, (region) => [region.start, region.end]);
  }

  private shiftOf(
    start: number,
    end: number,
    edges: (region: Region) => readonly [number, number],
  ): number | null {
    let shift = 0;
    for (const region of this.regions) {
      const [from, to] = edges(region);
      if (from > end) break;
      if (to >= start) return null;
      shift = region.end - region.oldEnd;
    }
    return shift;
  }
}
