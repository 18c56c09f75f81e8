import assert from "node:assert/strict";
import fc from "fast-check";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import type { TextEdit } from "../../../../src/edits/text/changeSet.ts";
import type { ProposedBlock } from "../../../../src/ports/review.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";

/**
 * A line of the user's file: one of the snapshot's, by its number, as it was or changed, or one of
 * his own.
 */
interface Line {
  readonly base: number | null;
  readonly text: string;
}

/**
 * What the model replaces: the snapshot's lines `start` to `end`, half-open and 0-based, empty for
 * an insertion.
 */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

const SIZE = 14;

/** Hunks with at least one line between two of them. */
const hunks: fc.Arbitrary<readonly Hunk[]> = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      old: fc.nat({ max: 3 }),
      written: fc.nat({ max: 3 }),
    }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => {
    const made: Hunk[] = [];
    let at = -1;
    for (const { gap, old, written } of parts) {
      const start = at + gap;
      const end = start + old;
      if (end > SIZE || old + written === 0) continue;
      made.push({
        start,
        end,
        lines: Array.from({ length: written }, (_, line) => `model ${made.length}.${line}`),
      });
      at = end;
    }
    return made;
  });

/**
 * One gesture of the user: the lines from `at` on, `count` of them, become others; or something is
 * typed at the end of one; or the text from within one to within another goes.
 */
const gesture = fc.record({
  at: fc.nat({ max: 40 }),
  count: fc.nat({ max: 4 }),
  written: fc.nat({ max: 2 }),
  how: fc.constantFrom("lines" as const, "lines" as const, "types" as const, "joins" as const),
});

const eols = fc.constantFrom("\n", "\r\n");

function textOf(lines: readonly { readonly text: string }[], eol: string): string {
  return lines.map(({ text }) => text + eol).join("");
}

/** The snapshot with the hunks in it, and where each one's lines are. */
function proposalOf(
  parts: readonly Hunk[],
  eol: string,
): { readonly text: string; readonly blocks: readonly ProposedBlock[] } {
  let text = "";
  const blocks: ProposedBlock[] = [];
  let next = 0;
  for (const [index, { start, end, lines }] of parts.entries()) {
    for (; next < start; next++) text += `base ${next}${eol}`;
    const from = text.length;
    text += lines.map((line) => line + eol).join("");
    blocks.push({ blockId: `${index}`, warnings: [], start: from, end: text.length });
    next = end;
  }
  for (; next < SIZE; next++) text += `base ${next}${eol}`;
  return { text, blocks };
}

/**
 * What a merge of three texts by lines gives, for the hunks that it takes; all lines of the
 * snapshot are different. Where the user put lines exactly where the model inserts, the insertion
 * goes with the line above it or with the one below.
 */
function merged(
  user: readonly Line[],
  parts: readonly Hunk[],
  taken: (index: number) => boolean,
  withAbove: (index: number) => boolean,
): Line[] {
  const result: Line[] = [];
  const placed = new Set<number>();
  const write = (index: number) => {
    if (!taken(index) || placed.has(index)) return;
    placed.add(index);
    result.push(...(parts[index]?.lines ?? []).map((text) => ({ base: null, text })));
  };
  const last = (below: number) => user.findLast(({ base }) => base !== null && base < below);
  for (const [index, { start, end }] of parts.entries())
    if (start === end && withAbove(index) && !last(start)) write(index);
  for (const line of user) {
    const { base } = line;
    for (const [index, { start, end }] of parts.entries()) {
      if (base !== null && start === end && !withAbove(index) && start <= base) write(index);
    }
    const hunk = parts.findIndex(
      ({ start, end }, index) => base !== null && taken(index) && start <= base && base < end,
    );
    if (hunk >= 0) write(hunk);
    else result.push(line);
    for (const [index, { start, end }] of parts.entries())
      if (start === end && withAbove(index) && last(start) === line) write(index);
  }
  for (const [index, { start, end }] of parts.entries()) if (start === end) write(index);
  return result;
}

/** Every set of some of the numbers. */
function subsets(numbers: readonly number[]): readonly (readonly number[])[] {
  const sets: (readonly number[])[] = [[]];
  for (const number of numbers) sets.push(...sets.map((set) => [...set, number]));
  return sets;
}

describe("the user's edits to the file while a change is pending", () => {
  it("move the change as a three-way merge would, or make it a conflict", () => {
    fc.assert(
      fc.property(
        hunks,
        fc.array(gesture, { minLength: 1, maxLength: 6 }),
        eols,
        (parts, gestures, eol) => {
          fc.pre(parts.length > 0);
          const base = Array.from(
            { length: SIZE },
            (_, number): Line => ({ base: number, text: `base ${number}` }),
          );
          const state = new ReviewState(textOf(base, eol));
          state.propose(proposalOf(parts, eol));
          let user: readonly Line[] = base;
          const touched = new Set<number>();
          /** Lines of the snapshot next to which the user put or took out lines. */
          const bordered = new Set<number>();
          for (const [number, { at, count, written, how }] of gestures.entries()) {
            const first = at % (user.length + 1);
            const last = Math.min(user.length, first + (how === "types" ? 1 : count));
            const old = user.slice(first, last);
            const above = user.slice(0, first).findLast((line) => line.base !== null)?.base ?? -1;
            const below = user.slice(last).find((line) => line.base !== null)?.base ?? SIZE;
            const typed =
              how === "types" ? old.map((line) => ({ ...line, text: `${line.text}!` })) : null;
            const joined =
              how === "joins" && old.length > 1
                ? [{ base: null, text: `${old[0]?.text ?? ""}${old.at(-1)?.text ?? ""}` }]
                : null;
            const own = Array.from(
              { length: written },
              (_, line): Line => ({ base: null, text: `user ${number}.${line}` }),
            );
            const now = typed ?? joined ?? own;
            for (const line of old) if (line.base !== null) touched.add(line.base);
            for (let line = above; line <= below; line++) bordered.add(line);
            const start = textOf(user.slice(0, first), eol).length;
            const whole: TextEdit = {
              start,
              end: start + textOf(old, eol).length,
              newText: textOf(now, eol),
            };
            const from = start + (old[0]?.text.length ?? 0);
            const to = whole.end - eol.length - (old.at(-1)?.text.length ?? 0);
            const edit = joined ? { start: from, end: to, newText: "" } : whole;
            user = [...user.slice(0, first), ...now, ...user.slice(last)];
            state.userEdited("real", [edit], textOf(user, eol));
          }
          assert.equal(state.real, textOf(user, eol));
          const pending = state.hunks();
          const proposed = state.proposed.split(eol);
          const inConflict = new Set<number>();
          const sound = new Set<number>();
          for (const { real, proposed: written, conflict } of pending) {
            const replaced = user
              .slice(real.start, real.end)
              .flatMap(({ base }) => (base === null ? [] : [base]));
            const whose = [...parts.entries()].filter(
              ([index, { start, end }]) =>
                replaced.some((line) => start <= line && line < end) ||
                proposed
                  .slice(written.start, written.end)
                  .some((line) => line.startsWith(`model ${index}.`)),
            );
            for (const [index] of whose) (conflict ? inConflict : sound).add(index);
          }
          for (const [index, { start, end }] of parts.entries()) {
            const own = Array.from({ length: end - start }, (_, line) => start + line);
            const changed = own.some((line) => touched.has(line));
            if (changed)
              assert.ok(
                !sound.has(index),
                `hunk ${index} was changed by the user and is no conflict`,
              );
            const near = [start - 1, ...own, end].some((line) => bordered.has(line));
            if (!near)
              assert.ok(
                sound.has(index) && !inConflict.has(index),
                `hunk ${index} is a conflict for no reason`,
              );
            // What is no hunk any more is in the file already.
            if (!sound.has(index) && !inConflict.has(index))
              assert.ok(changed, `hunk ${index} was lost`);
          }
          state.commit(
            state.planAccept(pending.filter(({ conflict }) => !conflict).map(({ id }) => id)),
          );
          const taken = (index: number) => sound.has(index) && !inConflict.has(index);
          const either = [...parts.entries()].flatMap(([index, { start, end }]) =>
            start === end ? [index] : [],
          );
          const expected = subsets(either).map((above) =>
            textOf(
              merged(user, parts, taken, (index) => above.includes(index)),
              eol,
            ),
          );
          if (!expected.includes(state.real)) assert.equal(state.real, expected[0]);
        },
      ),
      { numRuns: campaignRuns(700, 2_000) },
    );
  });
});
