import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { countTokens as exact } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../../src/agent/countTokens.ts";
import { countTokens } from "../../../src/headless/tokenizer.ts";

const texts: readonly (readonly [what: string, text: string])[] = [
  ["TypeScript", readFileSync("src/agent/chat.ts", "utf8")],
  ["Markdown", readFileSync("README.md", "utf8")],
  ["Python", readFileSync("test/fixtures/outline/python.txt", "utf8")],
  ["JSON", readFileSync("tsconfig.json", "utf8").repeat(10)],
];

describe("tokens", () => {
  for (const [what, text] of texts) {
    it(`of ${what} are counted near enough, with and without the tokenizer`, () => {
      const real = exact(text);
      for (const count of [countTokens, estimateTokens]) {
        const ratio = count(text) / real;
        assert.ok(ratio > 0.85 && ratio < 1.3, `${count(text)} of ${real}`);
      }
    });
  }

  it("of Japanese are never counted as too few", () => {
    const text = "日本語で書かれた注釈も数えます。".repeat(100);
    for (const count of [countTokens, estimateTokens]) assert.ok(count(text) >= exact(text) * 0.9, `${count(text)} of ${exact(text)}`);
  });

  it("are counted in a text that names a model's own marks, and in one that holds half a character", () => {
    assert.ok(countTokens("before <|endoftext|> behind \ud800") > 3);
    assert.equal(countTokens(""), 0);
  });
});
