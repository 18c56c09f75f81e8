import assert from "node:assert/strict";
import fc from "fast-check";
import { mapLines } from "../../../../src/edits/place/mapLines.ts";

/** A user's edit of a list of lines: `remove` lines from `at` on give way to `insert` new ones. */
const userEdit = fc.record({ at: fc.nat(30), remove: fc.nat(3), insert: fc.nat(3) });

interface Line {
  /** 0-based in the text before; null for a line of the user. */
  readonly from: number | null;
  readonly text: string;
}

function edited(
  count: number,
  edits: readonly { readonly at: number; readonly remove: number; readonly insert: number }[],
): Line[] {
  const lines: Line[] = Array.from({ length: count }, (_, from) => ({
    from,
    text: `line ${from}`,
  }));
  let made = 0;
  for (const { at, remove, insert } of edits) {
    const added = Array.from({ length: insert }, () => ({ from: null, text: `user ${made++}` }));
    lines.splice(Math.min(at, lines.length), remove, ...added);
  }
  return lines;
}

describe("lines of another text", () => {
  it("finds the same lines wherever the user's edits moved them, or reports that they changed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(userEdit, { maxLength: 5 }),
        fc.nat(19),
        fc.nat(4),
        (count, edits, at, more) => {
          const first = Math.min(at, count - 1);
          const last = Math.min(first + more, count - 1);
          const now = edited(count, edits);
          const before = Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");
          const mapped = mapLines(
            before,
            now.map(({ text }) => text).join("\n"),
            { start: first + 1, end: last + 1 },
            "replace",
          );
          const place = now.findIndex(({ from }) => from === first);
          const whole =
            place >= 0 &&
            Array.from({ length: last - first + 1 }, (_, index) => now[place + index]?.from).every(
              (from, index) => from === first + index,
            );
          if (whole)
            assert.deepEqual(mapped, {
              ok: true,
              value: { start: place + 1, end: place + 1 + last - first },
            });
          else assert.ok(!mapped.ok && mapped.error.kind === "conflict");
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("maps nothing to other text where lines repeat", () => {
    const word = fc.constantFrom("a", "b", "", "}");
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.array(word, { maxLength: 12 }),
        fc.nat(11),
        fc.nat(3),
        (before, now, at, more) => {
          const first = Math.min(at, before.length - 1);
          const last = Math.min(first + more, before.length - 1);
          const terminated = (lines: readonly string[]) =>
            lines.map((line) => `${line}\n`).join("");
          const mapped = mapLines(
            terminated(before),
            terminated(now),
            { start: first + 1, end: last + 1 },
            "replace",
          );
          if (mapped.ok)
            assert.deepEqual(
              now.slice(mapped.value.start - 1, mapped.value.end),
              before.slice(first, last + 1),
            );
          else if (mapped.error.kind === "conflict")
            assert.deepEqual(mapped.error.before, before.slice(first, last + 1));
          else assert.fail(mapped.error.reason.code);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("refuses a line that never existed", () => {
    const mapped = mapLines("a\nb\n", "x\na\nb\n", { start: 5, end: 5 }, "replace");
    assert.deepEqual(mapped, {
      ok: false,
      error: { kind: "refused", reason: { code: "no-such-line", line: 5, lineCount: 2 } },
    });
  });
});
