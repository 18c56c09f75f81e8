import { strict as assert } from "node:assert";
import fs from "node:fs";
import fc from "fast-check";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { campaignRuns } from "../../fakes/campaignRuns.ts";
import { openDocument } from "./openDocument.ts";

const FIXTURES = new URL("../../fixtures/outline/", import.meta.url);
const RUNS = campaignRuns(2, 8);

interface Step {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
  readonly line: boolean;
}

const WORDS = [
  "x",
  " ",
  "\n",
  "{",
  "}",
  ";",
  ",",
  "// c\n",
  "# d\n",
  "/*",
  "*/",
  "(",
  ")",
  "  a: 1\n",
  "@x\n",
  "end\n",
  "",
];

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat(),
  remove: fc.constantFrom(0, 0, 1, 12, 60),
  insert: fc.constantFrom(...WORDS),
  line: fc.boolean(),
});

/**
 * What differs between a place in a text and the same place seen again; paths may be numbered anew.
 */
function facts(document: SyntaxDocument, path: string): unknown {
  const found = document.resolve(path);
  if (!found.ok) return found.error.code;
  const { path: _, sharedWith, ...rest } = found.value;
  return { ...rest, shared: sharedWith.length };
}

function textOf(document: SyntaxDocument, path: string): string | null {
  const found = document.resolve(path);
  return found.ok ? document.text.slice(found.value.range.start, found.value.range.end) : null;
}

describe("an element that edits only moved", () => {
  for (const { id } of grammars.languages) {
    it(`${id}: is found where a search of the whole text finds it`, async () => {
      const source = fs.readFileSync(new URL(`${id}/source.txt`, FIXTURES), "utf8");
      const edited = async (steps: readonly Step[]) => {
        const document = await openDocument(id, source);
        document.pinPaths();
        for (const { at, remove, insert, line } of steps) {
          const place = at % (document.text.length + 1);
          const start = line ? document.text.lastIndexOf("\n", place - 1) + 1 : place;
          document.edit({ start, end: Math.min(document.text.length, start + remove) }, insert);
        }
        return document;
      };
      const original = await openDocument(id, source);
      const paths = original.outline().map(({ path }) => path);
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 3 }),
          fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
          async (steps, picks) => {
            const searched = await edited(steps);
            searched.outline();
            for (const pick of picks) {
              const path = paths[pick % paths.length] ?? "";
              // One element each: the first that needs a search brings all up to date.
              const document = await edited(steps);
              // Where a search now reads it as part of something else, the unchanged element may
              // still be found.
              const found = facts(document, path);
              if (
                facts(searched, path) !== "not-found" ||
                textOf(document, path) !== textOf(original, path)
              )
                assert.deepEqual(found, facts(searched, path), path);
              document.dispose();
            }
            searched.dispose();
          },
        ),
        { numRuns: RUNS },
      );
      original.dispose();
    });
  }
});
