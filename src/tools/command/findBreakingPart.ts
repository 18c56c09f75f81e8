import { type FindSeen, failureClues } from "./failureClues.ts";
import { freshFailure } from "./freshFailure.ts";
import { likelyParts } from "./likelyParts.ts";
import { partUsers } from "./partNeeds.ts";
import type { PartText } from "./partText.ts";

/** The most runs of a check that a search takes. */
export const MOST_RUNS = 8;
/** Which part of several makes a check fail. Parts are named by their index. */
export type BreakingPart =
  /** Without this part and the others named, and with all else, the check passes. */
  | { readonly code: "found"; readonly part: number; readonly others: readonly number[] }
  /** It fails without any part, and nothing was found whose lack would help. */
  | { readonly code: "fails-before" }
  /** Nothing was found in {@link MOST_RUNS} runs. */
  | { readonly code: "not-found" };

/** A run of the check with some of the parts. */
export interface PartRun {
  readonly passed: boolean;
  readonly output: string;
}

/** Null ends a search, whose answer is then null. */
export type RunKept = (isKept: (part: number) => boolean) => Promise<PartRun | null>;

/** A check that fails with all parts. */
export interface BrokenCheck {
  readonly parts: readonly PartText[];
  /** What it wrote. */
  readonly output: string;
  readonly find: FindSeen;
  readonly run: RunKept;
}

interface Proven {
  readonly some: readonly number[];
  readonly left: ReadonlySet<number>;
}

/**
 * Finds the part that makes a check fail, in at most {@link MOST_RUNS} runs. Names and outputs
 * decide what is left out first; what is found was proven by a run.
 */
export async function findBreakingPart({
  parts,
  output,
  find,
  run,
}: BrokenCheck): Promise<BreakingPart | null> {
  const users = partUsers(parts);
  const withUsers = (some: Iterable<number>) =>
    new Set([...some].flatMap((part) => [part, ...(users[part] ?? [])]));
  const tried = new Set<string>();
  let suspects = likelyParts(parts, users, await failureClues(output, find));
  let proven: Proven | null = null;
  let failsBefore = false;
  let runs = 0;
  /** What the last ones left out seem to need left out with them. */
  let also: readonly number[] = [];
  while (suspects.length > 0 && runs < MOST_RUNS) {
    const some = suspects.slice(0, fewest(suspects.length, MOST_RUNS - runs));
    const left = withUsers([...some, ...also]);
    const key = [...left].toSorted((a, b) => a - b).join();
    const isNew = !tried.has(key);
    const ran = isNew ? await run((part) => !left.has(part)) : null;
    if (ran === null && isNew) return null;
    tried.add(key);
    if (isNew) runs++;
    if (ran?.passed) {
      proven = { some, left };
      if (some.length === 1) break;
      suspects = suspects.filter((part) => left.has(part));
      also = [];
      continue;
    }
    failsBefore ||= left.size === parts.length;
    const fresh = ran && (await freshFailure(parts, left, output, ran.output, find));
    if (fresh && fresh.length > 0) also = [...also, ...fresh];
    else {
      suspects = suspects.slice(some.length);
      also = [];
    }
  }
  const [part] = proven?.some ?? [];
  if (proven && part !== undefined)
    return { code: "found", part, others: [...proven.left].filter((each) => each !== part) };
  if (!failsBefore && runs < MOST_RUNS) {
    const before = await run(() => false);
    if (before === null) return null;
    failsBefore = !before.passed;
  }
  return { code: failsBefore ? "fails-before" : "not-found" };
}

/** How few of the likeliest can be tried together, such that the runs suffice for the rest. */
function fewest(count: number, runs: number): number {
  const rest = 2 ** Math.max(0, runs - 2);
  return Math.max(1, Math.min(Math.ceil(count / 2), count - rest));
}

/**
 * Finds the parts that a check needs which passes with all `count` parts: it fails without them, and
 * with all others. One run a part; null where a run ends the search.
 */
export async function findNeededParts(
  count: number,
  run: RunKept,
): Promise<readonly number[] | null> {
  const needed: number[] = [];
  for (let part = 0; part < count; part++) {
    const ran = await run((each) => each !== part);
    if (ran === null) return null;
    if (!ran.passed) needed.push(part);
  }
  return needed;
}
