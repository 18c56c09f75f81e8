import assert from "node:assert/strict";
import { codeTarget, linkTarget, splitAddresses } from "../../../webview/markdown/linkTarget.ts";

describe("linkTarget", () => {
  it("accepts web pages and files of the workspace", () => {
    assert.deepEqual(linkTarget("https://example.org/a?b=1#c"), {
      type: "web",
      url: "https://example.org/a?b=1#c",
    });
    assert.deepEqual(linkTarget("src/a.ts"), { type: "file", path: "src/a.ts", line: null });
    assert.deepEqual(linkTarget("./src/a%20b.ts#L12-L14"), {
      type: "file",
      path: "src/a b.ts",
      line: 12,
    });
    assert.deepEqual(linkTarget("src/a.ts:8:3"), { type: "file", path: "src/a.ts", line: 8 });
  });

  it("rejects everything else", () => {
    for (const href of [
      ...[
        "",
        "#top",
        "//evil.test/a",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "command:x",
        "data:text/html,x",
        "vscode://x",
        "mailto:a@b.c",
      ],
      ...[
        "file:///etc/passwd",
        "%",
        "a%00b",
        "java\tscript:alert(1)",
        "http://[",
        "%6aavascript:alert(1)",
      ],
    ]) {
      assert.equal(linkTarget(href), null, href);
    }
  });
});

describe("codeTarget", () => {
  const file = (path: string, line: number | null = null) => ({ type: "file", path, line });
  for (const [code, target] of [
    ["src/a.ts", file("src/a.ts")],
    ["a.test.ts:12", file("a.test.ts", 12)],
    ["package.json", file("package.json")],
    ["toDotPath", { type: "symbol", name: "toDotPath" }],
    ["Shape.area()", { type: "symbol", name: "Shape.area" }],
    ["Shape#area", { type: "symbol", name: "Shape#area" }],
    ["shapes::area(a, b)", { type: "symbol", name: "shapes::area" }],
    ["#area", { type: "symbol", name: "area" }],
    ["empty?", { type: "symbol", name: "empty" }],
    ["console.log", { type: "symbol", name: "console.log" }],
    ["Shape.", null],
    ["command:x.ts", null],
    ["npm test", null],
    ["true", null],
    ["a", null],
    ["x".repeat(500), null],
  ] as const)
    it(`of ${code.slice(0, 20)} is ${target ? target.type : "none"}`, () =>
      assert.deepEqual(codeTarget(code), target));
});

describe("web addresses in an error", () => {
  const cases: readonly [string, readonly string[]][] = [
    [
      "Add more using https://openrouter.ai/settings/credits",
      ["https://openrouter.ai/settings/credits"],
    ],
    ["See https://example.com/keys.", ["https://example.com/keys"]],
    [
      "(https://example.com/a_(b)), or [https://example.com/c]",
      ["https://example.com/a_(b)", "https://example.com/c"],
    ],
    ['"https://example.com/x?y=1&z=2#k": wrong', ["https://example.com/x?y=1&z=2#k"]],
    [
      "http://127.0.0.1:11434/v1 and HTTPS://EXAMPLE.com!",
      ["http://127.0.0.1:11434/v1", "HTTPS://EXAMPLE.com"],
    ],
    ["javascript:alert(1) command:graft.x file:///etc/passwd https://", []],
    ["none at all", []],
  ];
  for (const [text, addresses] of cases)
    it(`are ${addresses.length} in: ${text}`, () => {
      const pieces = splitAddresses(text);
      assert.deepEqual(
        pieces.flatMap((piece) => (piece.url === null ? [] : [piece.text])),
        addresses,
      );
      assert.equal(pieces.map((piece) => piece.text).join(""), text);
    });
});
