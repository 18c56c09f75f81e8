import assert from "node:assert/strict";
import { ContextWindow } from "../../../../src/agent/request/contextWindow.ts";

describe("a context window that a server refused to fill", () => {
  it("shrinks by a fifth of the request, and by half where it is refused again", () => {
    const window = new ContextWindow(() => 128_000);
    const { tokens } = window.fit(
      [{ role: "user", text: "word ".repeat(10_000) }],
      [],
      2,
      () => "",
    );
    window.refused(false);
    const once = window.limit;
    assert.ok(Math.abs(once / tokens - 0.8) < 0.01, `${once} of ${tokens}`);
    window.refused(true);
    assert.ok(Math.abs(window.limit / tokens - 0.5) < 0.01, `${window.limit} of ${tokens}`);
    // The user sees a small window, not what is left of the one that was supposed.
    const use = window.use([{ role: "user", text: "word" }], [], []);
    assert.equal(use.window - use.reserve, window.limit);
    assert.ok(use.reserve < use.window / 3, JSON.stringify(use));
  });

  it("is as large as the server named, however large that is", () => {
    for (const named of [8_192, 100_000]) {
      const window = new ContextWindow(() => 1_000_000);
      window.fit([{ role: "user", text: "word ".repeat(1_000_000) }], [], 2, () => "");
      window.refused(false, named);
      assert.equal(window.tokens, named);
      assert.equal(window.use([], [], []).window, named);
    }
  });

  it("is as before where every smaller request was refused too, but for what the server named", () => {
    for (const [named, expected] of [
      [null, 128_000],
      [8_192, 8_192],
    ] as const) {
      const window = new ContextWindow(() => 128_000);
      window.fit([{ role: "user", text: "word ".repeat(10_000) }], [], 2, () => "");
      for (const again of [false, true, true]) window.refused(again, named);
      window.refusedAll();
      assert.equal(window.tokens, expected);
    }
  });

  it("keeps what it learned from a request that was taken, where later ones are refused", () => {
    const window = new ContextWindow(() => 128_000);
    const { tokens } = window.fit(
      [{ role: "user", text: "word ".repeat(10_000) }],
      [],
      2,
      () => "",
    );
    window.refused(false);
    const learned = window.limit;
    window.measured(tokens);
    window.refused(true);
    window.refusedAll();
    assert.equal(window.limit, learned);
  });
});

describe("a context window that a server fills in silence", () => {
  const ask = (words: number) => [{ role: "user" as const, text: "word ".repeat(words) }];

  for (const [what, next, counted, isCut] of [
    ["grew and has the same count", 4_900, 4_066, true],
    ["grew and has nearly the same count", 4_900, 4_069, true],
    ["grew and counts as much more", 4_900, 4_166, false],
    ["stayed and has the same count", 4_800, 4_066, false],
    ["shrank and has the same count", 4_000, 4_066, false],
  ] as const)
    it(`${isCut ? "is noticed" : "is not supposed"} where a request ${what}`, () => {
      const window = new ContextWindow(() => 128_000);
      window.fit(ask(4_800), [], 2, () => "");
      assert.equal(window.measured(4_066), null);
      window.fit(ask(next), [], 2, () => "");
      assert.equal(window.measured(counted) !== null, isCut);
      assert.equal(window.limit < counted, isCut);
    });
});
