import assert from "node:assert/strict";
import fc from "fast-check";
import { findBreakingPart, MOST_RUNS } from "../../../../src/tools/command/findBreakingPart.ts";
import type { PartText } from "../../../../src/tools/command/partText.ts";

/** Where the check passes, or what it says where it fails. */
type Check = (kept: readonly number[]) => true | string;

const PLAIN: PartText = {
  ...{ path: "a.ts", line: 1, removed: [], added: [], scope: [], before: "before\n" },
};

/** Searches with a check that tells of the kept parts whether it passes; counts its runs. */
async function search(parts: readonly PartText[], check: Check, files = {}) {
  let runs = 0;
  const all = parts.map((_, at) => at);
  const texts = new Map<string, string>(Object.entries(files));
  const whole = check(all);
  const found = await findBreakingPart({
    parts,
    output: whole === true ? "" : whole,
    async find(path) {
      const text = texts.get(path);
      return text === undefined ? null : { path, text };
    },
    async run(isKept) {
      runs++;
      const said = check(all.filter(isKept));
      return { passed: said === true, output: said === true ? "" : said };
    },
  });
  return { found, runs };
}

/** Parts of which nothing is known. */
const plain = (count: number) => Array.from({ length: count }, (_, at) => ({ ...PLAIN, line: at }));
const failsIf = (fails: (kept: readonly number[]) => boolean): Check => {
  return (kept) => (fails(kept) ? "1 failed" : true);
};
const alone = (part: number) => ({ code: "found", part, others: [] });

describe("the search for the part that breaks a check", () => {
  const cases: readonly (readonly [
    string,
    number,
    (kept: readonly number[]) => boolean,
    object,
  ])[] = [
    ["the only one", 1, (kept) => kept.length > 0, alone(0)],
    ["one of few", 4, (kept) => kept.includes(1), alone(1)],
    ["one of many", 40, (kept) => kept.includes(23), alone(23)],
    ["the first of many", 64, (kept) => kept.includes(0), alone(0)],
    [
      "one of few, where the check needs another",
      4,
      (kept) => !kept.includes(0) || kept.includes(2),
      alone(2),
    ],
    ["none: it fails without them", 3, () => true, { code: "fails-before" }],
    [
      "none of two that break it",
      3,
      (kept) => kept.some((part) => part !== 1),
      { code: "not-found" },
    ],
    ["the only one, where it fails without it", 1, () => true, { code: "fails-before" }],
  ];
  for (const [name, count, fails, expected] of cases)
    it(`finds ${name}`, async () => {
      const { found, runs } = await search(plain(count), failsIf(fails));
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
          const { found, runs } = await search(
            plain(count),
            failsIf((kept) => kept.includes(part)),
          );
          assert.deepEqual(found, alone(part));
          assert.ok(runs <= MOST_RUNS);
        },
      ),
    ));

  it("says only what a run proved, in at most 8 runs, whatever passes", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { maxLength: 6 }),
        async (count, bad) => {
          const all = plain(count).map((_, at) => at);
          // It fails where all parts of one of these are kept, and with all parts.
          const fails = (kept: readonly number[]) =>
            kept.length === count ||
            bad.some((some) => some.every((part) => part >= count || kept.includes(part)));
          const { found, runs } = await search(plain(count), failsIf(fails));
          assert.ok(runs <= MOST_RUNS);
          if (found?.code === "fails-before") assert.equal(fails([]), true);
          if (found?.code !== "found") return;
          const left = [found.part, ...found.others];
          assert.equal(fails(all.filter((part) => !left.includes(part))), false);
        },
      ),
    ));

  it("ends where a run ends it", async () => {
    let runs = 0;
    const found = await findBreakingPart({
      ...{ parts: plain(10), output: "", find: async () => null },
      run: async () => (++runs === 3 ? null : { passed: false, output: "" }),
    });
    assert.equal(found, null);
    assert.equal(runs, 3);
  });

  describe("by names and by what the check wrote", () => {
    const tax: PartText = {
      ...{ path: "src/tax.ts", line: 1, removed: [], scope: [], before: "" },
      added: ["export function tax(price: number) {", "  return price - 2;", "}"],
    };
    const imports: PartText = {
      ...{
        path: "src/cart.ts",
        line: 1,
        removed: [],
        scope: [],
        before: "export function total() {}\n",
      },
      added: ['import { tax } from "./tax.ts";'],
    };
    const uses: PartText = {
      ...{ path: "src/cart.ts", line: 9, removed: ["  return sum;"], before: imports.before },
      ...{ added: ["  return sum + tax(sum);"], scope: ["export function total() {"] },
    };
    const other: PartText = {
      ...{ path: "src/log.ts", line: 4, removed: ["  x();"], before: "x();\ny();\n", scope: [] },
      added: ["  y();", "  y();", "  y();", "  y();"],
    };
    const parts = [other, imports, uses, tax];
    /** What uses a part that is left out cannot be loaded. */
    const loads = (kept: readonly number[]) =>
      (!kept.includes(1) || kept.includes(3)) && (!kept.includes(2) || kept.includes(1));

    it("leaves out what uses a part together with it, and names the part", async () => {
      const test =
        'import { tax } from "../src/tax.ts";\nit("adds", () => {\n  is(tax(1), 3);\n});\n';
      const check: Check = (kept) =>
        !loads(kept) ? "no tax" : kept.includes(3) ? "at test/tax.test.ts:3:5" : true;
      const { found, runs } = await search(parts, check, { "test/tax.test.ts": test });
      assert.deepEqual(found, { code: "found", part: 3, others: [1, 2] });
      assert.equal(runs, 1);
    });

    it("begins with the lines that the output names, wherever the check ran", async () => {
      const check: Check = (kept) =>
        !loads(kept) ? "no tax" : kept.includes(0) ? "at y (/tmp/copy/w/src/log.ts:5:3)" : true;
      const { found, runs } = await search(parts, check, { "src/log.ts": "y();\n" });
      assert.deepEqual(found, alone(0));
      assert.equal(runs, 1);
    });

    it("also leaves out a test that expects what was left out", async () => {
      const expects: PartText = {
        ...{ path: "test/cart.test.ts", line: 2, removed: ["  is(total(), 1);"], scope: [] },
        ...{ added: ["  is(total(), 4);"], before: "it(() => {\n  is(total(), 1);\n});\n" },
      };
      const text = "it(() => {\n  is(total(), 4);\n});\n";
      const check: Check = (kept) => {
        if (!loads(kept)) return "no tax";
        const [given, wanted] = [kept.includes(2) ? 2 : 1, kept.includes(4) ? 4 : 1];
        return given === wanted || `${given} is not ${wanted}\n at test/cart.test.ts:2:3`;
      };
      const { found } = await search([...parts, expects], check, { "test/cart.test.ts": text });
      assert.equal(found?.code, "found");
      assert.ok(found?.code === "found" && [found.part, ...found.others].includes(4));
      assert.ok(found?.code === "found" && [2, 3].includes(found.part));
    });
  });
});
