import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type BreakingPart,
  findBreakingPart,
  MOST_RUNS,
} from "../../../../src/tools/command/findBreakingPart.ts";

/** Searches with a check that tells of the kept parts whether it passes; counts its runs. */
async function search(count: number, passes: (kept: readonly number[]) => boolean) {
  let runs = 0;
  const found = await findBreakingPart(count, async (isKept) => {
    runs++;
    return passes([...Array(count).keys()].filter(isKept));
  });
  return { found, runs };
}

describe("the search for the part that breaks a check", () => {
  const cases: readonly (readonly [
    string,
    number,
    (kept: readonly number[]) => boolean,
    BreakingPart,
  ])[] = [
    ["the only one", 1, (kept) => kept.length === 0, { code: "alone", part: 0 }],
    ["one of few", 4, (kept) => !kept.includes(1), { code: "alone", part: 1 }],
    ["one of many", 40, (kept) => !kept.includes(23), { code: "alone", part: 23 }],
    ["the first of many", 64, (kept) => !kept.includes(0), { code: "alone", part: 0 }],
    [
      "one that a later one needs",
      5,
      (kept) => (kept.includes(4) ? kept.includes(3) : true) && !kept.includes(2),
      { code: "alone", part: 2 },
    ],
    [
      "two of few: from the first on",
      3,
      (kept) => !kept.includes(0) && !kept.includes(2),
      { code: "first", part: 0 },
    ],
    [
      "two of many: from the first on",
      20,
      (kept) => !kept.includes(4) && !kept.includes(15),
      { code: "first", part: 4 },
    ],
    ["none: it fails without them", 3, () => false, { code: "fails-before" }],
    ["none of many: it fails without them", 30, () => false, { code: "fails-before" }],
    [
      "one of few, where it needs another",
      4,
      (kept) => kept.includes(0) && !kept.includes(2),
      { code: "alone", part: 2 },
    ],
    [
      "one of many, where it needs another",
      9,
      (kept) => kept.includes(0) && !kept.includes(7),
      { code: "alone", part: 7 },
    ],
    [
      "nothing where it stands next to what it needs",
      9,
      (kept) => kept.includes(6) && !kept.includes(7),
      { code: "fails-before" },
    ],
    ["the only one, where it fails without it", 1, () => false, { code: "fails-before" }],
  ];
  for (const [name, count, passes, expected] of cases)
    it(`finds ${name}`, async () => {
      const { found, runs } = await search(count, passes);
      assert.deepEqual(found, expected);
      assert.ok(runs <= MOST_RUNS, `${runs} runs`);
    });

  it("finds a single culprit among any number up to 64, in at most 8 runs", () =>
    fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 64 })
          .chain((count) => fc.tuple(fc.constant(count), fc.nat(count - 1))),
        async ([count, part]) => {
          const { found, runs } = await search(count, (kept) => !kept.includes(part));
          assert.deepEqual(found, { code: "alone", part });
          assert.ok(runs <= MOST_RUNS);
        },
      ),
    ));

  it("says nothing of more parts than its runs can tell apart", async () => {
    const { found, runs } = await search(400, (kept) => !kept.includes(123));
    assert.deepEqual(found, { code: "several" });
    assert.equal(runs, MOST_RUNS);
  });

  it("ends where a run ends it", async () => {
    let runs = 0;
    const found = await findBreakingPart(10, async () => (++runs === 3 ? null : true));
    assert.equal(found, null);
    assert.equal(runs, 3);
  });
});
