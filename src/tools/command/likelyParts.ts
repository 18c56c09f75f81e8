import { type FailureClues, withoutExtension } from "./failureClues.ts";
import type { PartUsers } from "./partNeeds.ts";
import { codeLines, definedIn, isAddition, isTest, type PartText, wordsIn } from "./partText.ts";

/** What speaks for a part. Found by faults planted in commits (`npm run bench -- which-change`). */
const WEIGHTS = {
  /** One of its lines, or another one of its file, is named. */
  line: 4,
  file: 1,
  /** Where that says nothing: a file that is named imports its file. */
  imported: 1.5,
  /** What it defines, or what it is in, stands where the output points to. */
  blamed: 2,
  /** It is blamed, and so is what uses it. */
  blamedWithUser: 1.5,
  /** How much of the blame of its users it takes where a new test of it passes. */
  tested: 0.4,
  /** It has a name that stands there, or in the output. */
  near: 0.5,
  said: 0.25,
  /** It is blamed, and changes what was there instead of only adding to it. */
  changes: 1.5,
  /** Twice the code has twice the faults. */
  doubledCode: 1,
};

/** The parts by their index, the likeliest to be at fault first. This decides an order only. */
export function likelyParts(
  parts: readonly PartText[],
  users: PartUsers,
  clues: FailureClues,
): readonly number[] {
  const names = parts.map(({ added, removed }) => wordsIn([...added, ...removed]));
  const owned = parts.map(({ added, scope }) => definedIn([...added, ...scope]));
  const defined = parts.map(({ added }) => [...definedIn(added)]);
  const blame = owned.map((own) => shared(own, clues.near, owned));
  const tested = parts.filter(({ path }) => isTest(path)).map(({ added }) => wordsIn(added));
  const scores = parts.map((part, at) => {
    const own = names[at] ?? new Set();
    const itself = blame[at] ?? 0;
    const code = [...(users[at] ?? [])].filter((user) => !isTest(parts[user]?.path ?? ""));
    const most = Math.max(0, ...code.map((user) => Math.min(1, blame[user] ?? 0)));
    // A test of its own, which did not fail, speaks for it.
    const isFine =
      itself === 0 && tested.some((words) => defined[at]?.some((name) => words.has(name)));
    const byUsers = isFine ? WEIGHTS.tested * most : most;
    return (
      (WEIGHTS.blamed * (itself || byUsers) || importScore(part, clues)) +
      (itself > 0 ? WEIGHTS.blamedWithUser * byUsers : 0) +
      WEIGHTS.near * shared(own, clues.near, names) +
      WEIGHTS.said * shared(own, clues.said, names) +
      placeScore(part, clues) +
      (itself + byUsers > 0 && !isAddition(part) ? WEIGHTS.changes : 0) +
      WEIGHTS.doubledCode * Math.log2(1 + codeLines(part.added) + 0.5 * codeLines(part.removed))
    );
  });
  // A test that fails is seldom what is wrong, and without it little is proven.
  const isLast = (at: number) => Number(isTest(parts[at]?.path ?? ""));
  return parts
    .map((_, at) => at)
    .toSorted((a, b) => isLast(a) - isLast(b) || (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
}

/** How many names two sets share; one that several parts have counts less. */
function shared(
  own: ReadonlySet<string>,
  others: ReadonlySet<string>,
  all: readonly ReadonlySet<string>[],
): number {
  let sum = 0;
  for (const name of own)
    if (others.has(name)) sum += 1 / all.filter((each) => each.has(name)).length;
  return sum;
}

function placeScore({ path, line, added }: PartText, { lines }: FailureClues): number {
  const named = lines.filter((each) => each.path === path);
  const isNamed = named.some(
    (each) => line !== null && each.line >= line && each.line < line + added.length,
  );
  return isNamed ? WEIGHTS.line : named.length > 0 ? WEIGHTS.file : 0;
}

function importScore({ path }: PartText, { imported }: FailureClues): number {
  return imported.has(withoutExtension(path)) ? WEIGHTS.imported : 0;
}
