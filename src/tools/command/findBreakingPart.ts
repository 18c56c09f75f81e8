/** The most runs of a check that a search takes. */
export const MOST_RUNS = 8;
/** With more parts than this, leaving out each of them would take too many runs. */
const MOST_SINGLE = 6;

/** Which part of several makes a check fail. Parts are named by their index. */
export type BreakingPart =
  /** Without this part, and with all others, the check passes. */
  | { readonly code: "alone"; readonly part: number }
  /** With the parts before it the check passes, and with this one too it fails. */
  | { readonly code: "first"; readonly part: number }
  /** It fails without any part. */
  | { readonly code: "fails-before" }
  /** It fails whichever part is left out. */
  | { readonly code: "several" };

/**
 * Finds the part that makes a check fail which fails with all `count` parts, in at most {@link
 * MOST_RUNS} runs. `passes` runs the check with the parts that are kept; null ends the search,
 * whose answer is then null.
 */
export async function findBreakingPart(
  count: number,
  passes: (isKept: (part: number) => boolean) => Promise<boolean | null>,
): Promise<BreakingPart | null> {
  const before = await passes(() => false);
  if (before === null) return null;
  if (!before) return { code: "fails-before" };
  if (count === 1) return { code: "alone", part: 0 };
  if (count <= MOST_SINGLE) {
    // What was written last is the likeliest.
    for (let part = count - 1; part >= 0; part--) {
      const passed = await passes((each) => each !== part);
      if (passed === null) return null;
      if (passed) return { code: "alone", part };
    }
    return { code: "several" };
  }
  let [runs, passed, failed] = [1, 0, count];
  while (failed - passed > 1 && runs < MOST_RUNS) {
    const middle = Math.floor((passed + failed) / 2);
    const result = await passes((part) => part < middle);
    if (result === null) return null;
    runs++;
    if (result) passed = middle;
    else failed = middle;
  }
  if (failed - passed > 1) return { code: "several" };
  const part = failed - 1;
  if (runs === MOST_RUNS) return { code: "first", part };
  const without = await passes((each) => each !== part);
  return without === null ? null : { code: without ? "alone" : "first", part };
}
