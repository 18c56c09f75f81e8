import type { Gap } from "./fillInFormat.ts";

/** Completions that are kept. */
const MOST = 60;

/** Completions by the gap that they were asked for. */
export interface GapCache {
  /** What fills a gap; also where the user has typed the beginning of a kept one. */
  find(gap: Gap): string | null;
  keep(gap: Gap, text: string): void;
}

/** Keeps the latest completions. */
export function createGapCache(): GapCache {
  let kept: (Gap & { readonly text: string })[] = [];
  return {
    find({ prefix, suffix }) {
      for (const each of kept) {
        if (each.suffix !== suffix || !prefix.startsWith(each.prefix)) continue;
        const typed = prefix.slice(each.prefix.length);
        if (each.text.startsWith(typed)) return each.text.slice(typed.length);
      }
      return null;
    },
    keep(gap, text) {
      kept = [{ ...gap, text }, ...kept].slice(0, MOST);
    },
  };
}
