import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../../../src/base/text/estimateTokens.ts";

const texts: readonly (readonly [what: string, text: string])[] = [
  ["TypeScript", readFileSync("src/agent/chat/chat.ts", "utf8")],
  ["Markdown", readFileSync("README.md", "utf8")],
  ["Python", readFileSync("test/fixtures/outline/python/source.txt", "utf8")],
  ["JSON", readFileSync("tsconfig.json", "utf8").repeat(10)],
];

describe("estimated tokens", () => {
  for (const [what, text] of texts) {
    it(`of ${what} are close to the real count`, () => {
      const ratio = estimateTokens(text) / countTokens(text);
      assert.ok(ratio > 0.85 && ratio < 1.3, `${estimateTokens(text)} of ${countTokens(text)}`);
    });
  }

  it("of Japanese are never too low", () => {
    const text = "日本語で書かれた注釈も数えます。".repeat(100);
    assert.ok(
      estimateTokens(text) >= countTokens(text) * 0.9,
      `${estimateTokens(text)} of ${countTokens(text)}`,
    );
  });
});
