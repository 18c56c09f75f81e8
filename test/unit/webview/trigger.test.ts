import assert from "node:assert/strict";
import {
  draggedUris,
  findTrigger,
  holdsFiles,
  mentionedPaths,
} from "../../../webview/context/trigger.ts";

describe("what opens a list in the composer", () => {
  const texts: readonly (readonly [
    text: string,
    sign: string | null,
    query?: string,
    start?: number,
  ])[] = [
    ["@", "@", "", 0],
    ["Look at @src/ca", "@", "src/ca", 8],
    ["Look at #ca", "#", "ca", 8],
    ["(@ca", "@", "ca", 1],
    ["line\n@ca", "@", "ca", 5],
    ["me@example.com", null],
    ["@a b", null],
    ["# Title", null],
    ["@a@b", null],
    ["/", "/", "", 0],
    ["/exp", "/", "exp", 0],
    ["/explain this", null],
    ["/usr/bin", null],
    ["see /exp", null],
  ];
  for (const [text, sign, query, start] of texts) {
    it(`is ${sign ?? "nothing"} in ${JSON.stringify(text)}`, () => {
      const found = findTrigger(text);
      assert.deepEqual(
        found && [found.sign, found.query, found.start],
        sign === null ? null : [sign, query, start],
      );
    });
  }

  it("is every path after @ and # in a pasted text", () => {
    assert.deepEqual(mentionedPaths("See @src/a.ts:3-9, #src/b.ts. And (@c d@e.f @.) @"), [
      "src/a.ts:3-9",
      "src/b.ts",
      "c",
    ]);
    assert.deepEqual(mentionedPaths("src/a.ts:3-9\n"), ["src/a.ts:3-9"], "a path alone");
    assert.deepEqual(mentionedPaths("C:\\work\\a.ts"), ["C:\\work\\a.ts"]);
    assert.deepEqual(mentionedPaths("src/a.ts and src/b.ts"), []);
  });

  it("is the URIs of a drag, from any list that VS Code gives", () => {
    const data = (lists: Record<string, string>) => ({
      types: Object.keys(lists),
      getData: (type: string) => lists[type] ?? "",
    });
    const uris = "# comment\r\nfile:///w/a.ts\r\nfile:///w/b%20c.ts\r\n";
    assert.deepEqual(
      draggedUris(
        data({ "text/uri-list": uris, "application/vnd.code.uri-list": "file:///w/a.ts" }),
      ),
      ["file:///w/a.ts", "file:///w/b%20c.ts"],
    );
    assert.deepEqual(draggedUris(data({ resourceurls: '["file:///w/a.ts", 5]' })), [
      "file:///w/a.ts",
    ]);
    assert.deepEqual(draggedUris(data({ resourceurls: "{" })), []);
    assert.equal(holdsFiles(data({ "text/plain": "words" })), false);
    assert.equal(holdsFiles({ types: ["Files"] }), true);
  });
});
