import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import {
  LENGTH_RULES,
  LINE_RULES,
  WHITESPACE_RULES,
  WHOLE_RULES,
} from "../../../src/edits/check/rules.ts";
import { LINE_BREAKS } from "../../../src/edits/fit/lineBreaks.ts";
import { LINE_NUMBERS } from "../../../src/edits/fit/lineNumbers.ts";
import { REPAIRS } from "../../../src/edits/fit/repairs.ts";
import { SEARCH_SLIPS } from "../../../src/edits/fit/searchSlips.ts";

const CONTRACT = "src/edits/README.md";
const FIXTURES = "test/fixtures/edits";
/** The words of a sentence that one reads in a breath. */
const MOST_WORDS = 25;

interface Row {
  readonly name: string;
  readonly says: string;
  readonly fixture?: string;
}

const TABLES: readonly (readonly [mark: string, head: string, rows: readonly Row[]])[] = [
  [
    "rules",
    "| warning | when | example |",
    [...LINE_RULES, ...WHITESPACE_RULES, ...LENGTH_RULES, ...WHOLE_RULES],
  ],
  [
    "repairs",
    "| repair | what is undone | example |",
    [LINE_NUMBERS, ...REPAIRS, SEARCH_SLIPS, LINE_BREAKS],
  ],
];

/** The sentences of the contract outside of examples; a cell of a table has its own. */
function sentences(text: string): readonly string[] {
  return text
    .replace(/```[\s\S]*?```/g, "")
    .split("\n")
    .flatMap((line) => (line.startsWith("|") ? line.split("|") : [line]))
    .flatMap((part) => part.replace(/`[^`]*`/g, "x").split(/(?<=[.!?])\W*\s/));
}

describe("the contract", () => {
  it(`has no sentence of more than ${MOST_WORDS} words`, async () => {
    const long = sentences(await readFile(CONTRACT, "utf8")).filter(
      (sentence) => (sentence.match(/\S*\w\S*/g)?.length ?? 0) > MOST_WORDS,
    );
    assert.deepEqual(long, []);
  });
});

for (const [mark, head, rows] of TABLES) {
  describe(`the contract's table of ${mark}`, () => {
    it("has a row for each, made from it", async () => {
      const table = new RegExp(`(?<=<!-- ${mark} -->\n)[\\s\\S]*?(?=<!-- /${mark} -->)`);
      const lines = rows.map(({ name, says, fixture }) => {
        return `| ${name} | ${says} | ${fixture ? `\`${fixture}\`` : ""} |\n`;
      });
      const made = `${head}\n|---|---|---|\n${lines.join("")}`;
      const text = await readFile(CONTRACT, "utf8");
      if (process.env.UPDATE_GOLDEN)
        await writeFile(
          CONTRACT,
          text.replace(table, () => made),
        );
      else assert.equal(table.exec(text)?.[0], made, "run with UPDATE_GOLDEN=1");
    });

    it("names only fixtures in which something is warned of or undone", async () => {
      for (const { name, fixture } of rows) {
        if (fixture === undefined) continue;
        const outcome = await readFile(`${FIXTURES}/${fixture}/outcome.json`, "utf8");
        assert.match(outcome, /"(?:warnings|adjustments)"/, name);
      }
    });

    it("has one name and one short sentence a row", () => {
      assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
      for (const { name, says } of rows) {
        assert.match(says, /^[A-Z][^.]*\.(?:parse[^.]*\.)?$/, name);
        assert.ok(says.split(" ").length <= MOST_WORDS, name);
      }
    });
  });
}
