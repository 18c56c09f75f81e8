import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import {
  LENGTH_RULES,
  LINE_RULES,
  type Rule,
  WHITESPACE_RULES,
  WHOLE_RULES,
} from "../../../../src/edits/check/rules.ts";

const CONTRACT = "src/edits/README.md";
const TABLE = /(?<=<!-- rules -->\n)[\s\S]*?(?=<!-- \/rules -->)/;
/** The words of a sentence that one reads in a breath. */
const MOST_WORDS = 25;

const rules: readonly Pick<Rule<never>, "name" | "says">[] = [
  ...LINE_RULES,
  ...WHITESPACE_RULES,
  ...LENGTH_RULES,
  ...WHOLE_RULES,
];

describe("the contract's table of warnings", () => {
  it("has a row for each rule, made from it", async () => {
    const rows = rules.map(({ name, says }) => `| ${name} | ${says} |\n`);
    const made = `| warning | when |\n|---|---|\n${rows.join("")}`;
    const text = await readFile(CONTRACT, "utf8");
    if (process.env.UPDATE_GOLDEN)
      await writeFile(
        CONTRACT,
        text.replace(TABLE, () => made),
      );
    else assert.equal(TABLE.exec(text)?.[0], made, "run with UPDATE_GOLDEN=1");
  });

  it("has one name and one short sentence a rule", () => {
    assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
    for (const { name, says } of rules) {
      assert.match(says, /^[A-Z][^.]*\.(?:parse[^.]*\.)?$/, name);
      assert.ok(says.split(" ").length <= MOST_WORDS, name);
    }
  });
});
