import type { SearchHits } from "../../turns/turnEvent.ts";

/** A search without hits. */
export const NO_HITS: SearchHits = { shown: 0, more: false };

/** The hits of a search that shows at most `most` of them. */
export function firstHits(found: readonly unknown[], most: number): SearchHits {
  return { shown: Math.min(found.length, most), more: found.length > most };
}
