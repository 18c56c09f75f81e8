import assert from "node:assert/strict";
import { foldersOf, fuzzyPath, fuzzyPaths } from "../../../../src/base/text/fuzzyPaths.ts";

const FILES = [
  "README.md",
  "src/cart/cart.ts",
  "src/cart/cartView.ts",
  "src/cart/discount.ts",
  "src/host/chatView.ts",
  "test/cart.test.ts",
  "assets/naïve file.txt",
  "a/very/long/way/down/to/the/smart.ts",
];

describe("fuzzy paths", () => {
  const paths = fuzzyPaths([...FILES, ...foldersOf(FILES)].map(fuzzyPath));

  const searches: readonly (readonly [query: string, first: readonly string[]])[] = [
    ["cart", ["src/cart/", "src/cart/cart.ts", "test/cart.test.ts", "src/cart/cartView.ts"]],
    ["CartV", ["src/cart/cartView.ts"]],
    ["cv", ["src/cart/cartView.ts", "src/host/chatView.ts"]],
    ["view", ["src/cart/cartView.ts", "src/host/chatView.ts"]],
    ["host/chat", ["src/host/chatView.ts"]],
    ["./src/cart/d", ["src/cart/discount.ts"]],
    ["src\\host", ["src/host/"]],
    ["naïve f", ["assets/naïve file.txt"]],
    ["tocart", []],
    ["", []],
  ];
  for (const [query, first] of searches) {
    it(`finds ${first[0] ?? "nothing"} for ${JSON.stringify(query)}`, () => {
      assert.deepEqual(paths.search(query, 10).slice(0, first.length || 1), first);
    });
  }

  it("returns at most the limit, the best ones", () => {
    assert.deepEqual(paths.search("cart", 2), ["src/cart/", "src/cart/cart.ts"]);
  });

  it("finds the same for a query however it was typed", () => {
    for (const query of ["cartview", "src/cart/d", "tctr", "smart", "caxrt"]) {
      for (const earlier of ["", "s", "cart", query.slice(0, -1), `${query}x`, "zzz"]) {
        const typed = fuzzyPaths([...FILES, ...foldersOf(FILES)].map(fuzzyPath));
        typed.search(earlier, 2);
        for (let end = 1; end < query.length; end++) typed.search(query.slice(0, end), 2);
        const fresh = fuzzyPaths([...FILES, ...foldersOf(FILES)].map(fuzzyPath));
        assert.deepEqual(typed.search(query, 2), fresh.search(query, 2), `${query} after ${earlier}`);
      }
    }
  });

  it("lists every folder above a file once", () => {
    assert.deepEqual([...foldersOf(["a/b/c.ts", "a/d.ts", "a/b/e/f.ts", "g.ts"])].sort(), ["a/", "a/b/", "a/b/e/"]);
  });
});
