import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { assertSentence, assertText } from "../fakes/assertMessages.ts";

/** More than one sentence, so that a full stop is missed at its end. */
const SENTENCES = /[a-z)]\. [A-Z].*[^}:]$/;
/** Labels of a link that explain it first. */
const LINKS = /(?:changes here|Start it)$/;

const SLIPS = "undefined|a {b}|a  b|a |a..|a .|a:.|()|1 files|[object a]".split("|");

describe("what the user reads", () => {
  it("is checked for slips", () => {
    for (const slip of SLIPS) assert.throws(() => assertText([slip]), slip);
    assert.throws(() => assertText(["src/a.ts", "src/b.ts"]));
    assert.throws(() => assertSentence(["a"]));
    assertSentence(["```js a.ts, .github/b.ts $" + "{key}: 1 file, f(): x ... y."]);
  });

  for (const bundle of ["bundle.l10n.json", "bundle.l10n.de.json"])
    it(`has no slips in ${bundle}`, () => {
      const texts: unknown = JSON.parse(readFileSync(`l10n/${bundle}`, "utf8"));
      const all = Object.entries(Object(texts));
      assert.ok(all.length > 1000);
      for (const [english, text] of all) {
        const filled = String(text).replaceAll(/\{\w+\}/g, "Name");
        if (SENTENCES.test(english) && !LINKS.test(english)) assertSentence([filled]);
        else assertText([filled]);
      }
    });
});
