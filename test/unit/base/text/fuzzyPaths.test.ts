import assert from "node:assert/strict";
import { foldersOf, fuzzyPath, searchPaths } from "../../../../src/base/text/fuzzyPaths.ts";

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
  const paths = [...FILES, ...foldersOf(FILES)].map(fuzzyPath);

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
      assert.deepEqual(searchPaths(paths, query, 10).slice(0, first.length || 1), first);
    });
  }

  it("returns at most the limit, the best ones", () => {
    assert.deepEqual(searchPaths(paths, "cart", 2), ["src/cart/", "src/cart/cart.ts"]);
  });

  it("lists every folder above a file once", () => {
    assert.deepEqual([...foldersOf(["a/b/c.ts", "a/d.ts", "a/b/e/f.ts", "g.ts"])].sort(), [
      "a/",
      "a/b/",
      "a/b/e/",
    ]);
  });
});
