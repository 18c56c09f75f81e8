import { createPatch } from "diff";

/** The hunks of a unified diff with two lines of context, without file headers; null when the texts are equal or have more than 1,000 lines added and removed. */
export function unifiedDiff(before: string, after: string): string | null {
  if (before === after) return null;
  const patch = createPatch("file", before, after, undefined, undefined, { context: 2, maxEditLength: 1_000 });
  if (patch === undefined) return null;
  const start = patch.indexOf("@@");
  return start < 0 ? null : patch.slice(start).trimEnd();
}
