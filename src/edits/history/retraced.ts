/** A change of a file's text; null where there is no file. */
export interface TextChange {
  readonly before: string | null;
  readonly after: string | null;
}

/** Changes that were taken back, the earliest first, or made again. */
export interface Retraced<Change extends TextChange> {
  readonly changes: readonly Change[];
  readonly undone: boolean;
}

/**
 * What a step between two texts of a file takes back of known changes, or makes again: the latest of
 * them that lead there one after the other. Null where none do, so that the step is another change.
 */
export function retraced<Change extends TextChange>(
  known: readonly Change[],
  from: string | null,
  to: string | null,
): Retraced<Change> | null {
  for (let end = known.length; end > 0; end--) {
    const last = known[end - 1];
    const undone = last?.after === from;
    if (!undone && last?.after !== to) continue;
    const beginning = undone ? to : from;
    for (let start = end - 1; start >= 0; start--) {
      if (known[start]?.before === beginning) return { changes: known.slice(start, end), undone };
      if (known[start]?.before !== known[start - 1]?.after) break;
    }
  }
  return null;
}
