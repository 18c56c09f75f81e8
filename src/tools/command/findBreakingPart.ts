/** The most runs of a check that a search takes. */
export const MOST_RUNS = 8;
/** Which part of several makes a check fail. Parts are named by their index. */
export type BreakingPart =
  /** Without this part, and with all others, the check passes. */
  | { readonly code: "alone"; readonly part: number }
  /** With the parts before it the check passes, and with this one too it fails. */
  | { readonly code: "first"; readonly part: number }
  /** It fails without any part, and nothing was found whose lack would help. */
  | { readonly code: "fails-before" }
  /** It fails whichever part is left out. */
  | { readonly code: "several" };

type Passes = (isKept: (part: number) => boolean) => Promise<boolean | null>;

/**
 * Finds the part that makes a check fail which fails with all `count` parts, in at most {@link
 * MOST_RUNS} runs. `passes` runs the check with the parts that are kept; null ends the search,
 * whose answer is then null.
 */
export async function findBreakingPart(
  count: number,
  passes: Passes,
): Promise<BreakingPart | null> {
  const before = await passes(() => false);
  if (before === null) return null;
  if (before) return count === 1 ? { code: "alone", part: 0 } : firstToFail(count, passes);
  if (count === 1) return { code: "fails-before" };
  return count < MOST_RUNS ? leftOut(count, passes) : leftOutByHalves(count, passes);
}

/** For a check that passes without any part: halves what is kept from the first part on. */
async function firstToFail(count: number, passes: Passes): Promise<BreakingPart | null> {
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
  const first = failed - 1;
  // It may fail only for want of a later part: then another one is the culprit.
  for (let part = first; part < count && runs < MOST_RUNS; part++) {
    const without = await passes((each) => each !== part);
    if (without !== false) return without === null ? null : { code: "alone", part };
    runs++;
  }
  return { code: "first", part: first };
}

/** For a check that needs some of few parts: leaves out each. */
async function leftOut(count: number, passes: Passes): Promise<BreakingPart | null> {
  // What was written last is the likeliest.
  for (let part = count - 1; part >= 0; part--) {
    const passed = await passes((each) => each !== part);
    if (passed !== false) return passed === null ? null : { code: "alone", part };
  }
  return { code: "fails-before" };
}

/** For a check that needs some of the parts: halves what is left out. */
async function leftOutByHalves(count: number, passes: Passes): Promise<BreakingPart | null> {
  let [runs, from, to] = [1, 0, count];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    const halves = [
      [middle, to],
      [from, middle],
    ] as const;
    let found: (typeof halves)[number] | null = null;
    for (const [start, end] of halves) {
      if (runs === MOST_RUNS) return { code: "several" };
      const passed = await passes((part) => part < start || part >= end);
      if (passed === null) return null;
      runs++;
      if (passed) found = [start, end];
      if (found) break;
    }
    if (!found) return { code: to - from === count ? "fails-before" : "several" };
    [from, to] = found;
  }
  return { code: "alone", part: from };
}

/**
 * Finds the parts that a check needs which passes with all `count` parts: it fails without them, and
 * with all others. One run a part; null where a run ends the search.
 */
export async function findNeededParts(
  count: number,
  passes: Passes,
): Promise<readonly number[] | null> {
  const needed: number[] = [];
  for (let part = 0; part < count; part++) {
    const passed = await passes((each) => each !== part);
    if (passed === null) return null;
    if (!passed) needed.push(part);
  }
  return needed;
}
