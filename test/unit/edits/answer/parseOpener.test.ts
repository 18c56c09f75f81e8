import assert from "node:assert/strict";
import { type Opener, parseOpener } from "../../../../src/edits/answer/parseOpener.ts";
import type { BlockReason } from "../../../../src/turns/blockReason.ts";

const ELEMENTS = new Set([
  "`npm`",
  ".x",
  "Install:",
  ".x:before",
  "at 3:4",
  'Use "it"',
  "Shape-area",
  "a:remove now",
]);
const OPEN = new Set(["src/b.ts", "docs/my notes.md"]);

function read(info: string): Opener {
  return parseOpener(info, {
    isOpenFile: (file) => OPEN.has(file),
    namesElement: (path) => ELEMENTS.has(path),
  });
}

function lines(
  start: number,
  end: number,
  op = "replace",
  file: string | null = null,
  checks: readonly string[] = [],
): object {
  return {
    kind: "address",
    address: { kind: "lines", start, end },
    op,
    checks,
    file,
    written: `${start}:${end}`,
  };
}

function ast(
  path: string,
  op = "replace",
  file: string | null = null,
  checks: readonly string[] = [],
): object {
  return {
    kind: "address",
    address: { kind: "ast", path },
    op,
    checks,
    file,
    written: `ast-path:${path}`,
  };
}

function inner(
  path: string,
  start: number,
  end: number,
  op = "replace",
  checks: readonly string[] = [],
  file: string | null = null,
): object {
  return {
    kind: "address",
    address: { kind: "ast", path, lines: { start, end } },
    op,
    checks,
    file,
    written: `ast-path:${path}:${start}:${end}`,
  };
}

describe("an opener", () => {
  const valid: readonly [string, object][] = [
    ["ts:3:9", lines(3, 9)],
    [":3:5", lines(3, 5)],
    ["c++:3:3", lines(3, 3)],
    ["objective-c:10:12:before", lines(10, 12, "before")],
    ["c#:1:1:after", lines(1, 1, "after")],
    ["ts:3:9:remove", lines(3, 9, "remove")],
    ["ts:3:9 src/b.ts", lines(3, 9, "replace", "src/b.ts")],
    ["ts:3:9:before   docs/my notes.md", lines(3, 9, "before", "docs/my notes.md")],
    ["ts 3:9", lines(3, 9)],
    ["ts :3:9:after", lines(3, 9, "after")],
    ["ts ast-path:Shape-area", ast("Shape-area")],
    ["ast-path:Shape-area:remove", ast("Shape-area", "remove")],
    ["md:ast-path:Install::5:5", inner("Install:", 5, 5)],
    ["md:ast-path:Install::before", ast("Install:", "before")],
    [
      'md:ast-path:Use `npm`:5:6 "a `b` "c"" "```"',
      inner("Use `npm`", 5, 6, "replace", ['a `b` "c"', "```"]),
    ],
    ["ts:ast-path:Shape-area", ast("Shape-area")],
    ["ts:ast-path:`Shape-area`", ast("Shape-area")],
    ["md:ast-path:`npm`", ast("`npm`")],
    [":ast-path:Shape", ast("Shape")],
    ["ts:ast-path:Shape-area#2:with-comment", ast("Shape-area#2", "with-comment")],
    ["ts:ast-path:@imports:append", ast("@imports", "append")],
    ["ts:ast-path:Shape:prepend src/b.ts", ast("Shape", "prepend", "src/b.ts")],
    ["ts:ast-path:Shape src/b.ts", ast("Shape", "replace", "src/b.ts")],
    ["md:ast-path:Getting started", ast("Getting started")],
    [
      "md:ast-path:Getting started docs/my notes.md",
      ast("Getting started", "replace", "docs/my notes.md"),
    ],
    [
      "md:ast-path:Getting started:after src/other.ts",
      ast("Getting started", "after", "src/other.ts"),
    ],
    ["ts:ast-path:adds 1: before all:remove", ast("adds 1: before all", "remove")],
    ["css:ast-path:a:hover", ast("a:hover")],
    ["css:ast-path:.x:before", ast(".x:before")],
    ["css:ast-path:.x:before:before", ast(".x:before", "before")],
    ["css:ast-path:.x:before src/b.ts", ast(".x:before", "replace", "src/b.ts")],
    ["css:ast-path:.y:before", ast(".y", "before")],
    ["css:ast-path:.x::before", ast(".x::before")],
    ["css:ast-path:.x::before:remove", ast(".x::before", "remove")],
    ["css:ast-path:.x:before:3:4", inner(".x:before", 3, 4)],
    ["ts:ast-path:a:remove now", ast("a:remove now")],
    ["ts:ast-path:Cart-addItem:12:18", inner("Cart-addItem", 12, 18)],
    ["ts:ast-path:Cart-addItem:12:18:after", inner("Cart-addItem", 12, 18, "after")],
    [
      'ts:ast-path:Cart-addItem:12:18 "const total"',
      inner("Cart-addItem", 12, 18, "replace", ["const total"]),
    ],
    [
      'ts:ast-path:Cart-addItem:12:18:remove "a" "}" src/b.ts',
      inner("Cart-addItem", 12, 18, "remove", ["a", "}"], "src/b.ts"),
    ],
    [
      'md:ast-path:Getting started:3:5 "- a" docs/my notes.md',
      inner("Getting started", 3, 5, "replace", ["- a"], "docs/my notes.md"),
    ],
    ["ts:ast-path:at 3:4", ast("at 3:4")],
    ["ts:ast-path:at 3:4:3:9", inner("at 3:4", 3, 9)],
    ['ts:ast-path:at 3:4:remove "at"', ast("at 3:4", "remove", null, ["at"])],
    ['ts:ast-path:Shape-area "area("', ast("Shape-area", "replace", null, ["area("])],
    ['md:ast-path:Use "it"', ast('Use "it"')],
    ['md:ast-path:Use "it" now', ast('Use "it" now')],
    ['md:ast-path:Use "it":remove', ast('Use "it"', "remove")],
    ['ts:12:18 "const total" "}"', lines(12, 18, "replace", null, ["const total", "}"])],
    ['ts:12:18 "const total" src/b.ts', lines(12, 18, "replace", "src/b.ts", ["const total"])],
    ['ts:12:18:before "x = "a" + b" "y"', lines(12, 18, "before", null, ['x = "a" + b', "y"])],
    ['ts:12:18 "say \\"a\\" now"', lines(12, 18, "replace", null, ['say \\"a\\" now'])],
    ['ts:12:18 "x ? y :before z"', lines(12, 18, "replace", null, ["x ? y :before z"])],
    ['ts:ast-path:f:3:4 "x ? y :before z"', inner("f", 3, 4, "replace", ["x ? y :before z"])],
    ['ts:12:18 "left open', lines(12, 18, "replace", null, ["left open"])],
    ['ts:12:18 ""', lines(12, 18, "replace", null, [""])],
  ];
  for (const [info, expected] of valid)
    it(`reads \`${info}\``, () => assert.deepEqual(read(info), expected));

  const invalid: readonly [string, BlockReason][] = [
    ["ts:0:3", { code: "invalid-address" }],
    ["ts:9:3", { code: "invalid-address" }],
    ["ts:a:3", { code: "invalid-address" }],
    ["ts:3:b", { code: "invalid-address" }],
    ["ts:x:y", { code: "invalid-address" }],
    ["ts:-1:3", { code: "invalid-address" }],
    ["ts:1.5:3", { code: "invalid-address" }],
    ["ts:2:-1", { code: "invalid-address" }],
    ["ts:+1:2", { code: "invalid-address" }],
    ["ts:0x1:2", { code: "invalid-address" }],
    ["ts:1e0:2", { code: "invalid-address" }],
    ["ts:٢:٣", { code: "invalid-address" }],
    ["ts:２:３", { code: "invalid-address" }],
    ["ts:two:three", { code: "invalid-address" }],
    ["ts:2:end", { code: "invalid-address" }],
    ["ts:2,3", { code: "invalid-address" }],
    ["ts:L2-L3", { code: "invalid-address" }],
    ["ts:2:3:REMOVE", { code: "unknown-operation", op: "REMOVE" }],
    ["ts:2:3:before:after", { code: "unknown-operation", op: "before:after" }],
    ["ts:2:3:prepend", { code: "needs-ast-path", op: "prepend" }],
    ["log:12", { code: "invalid-address" }],
    ["ts:12", { code: "invalid-address" }],
    ["ts:12-20", { code: "invalid-address" }],
    ["ts:3:9:append", { code: "needs-ast-path", op: "append" }],
    ["ts:3:9:with-comment", { code: "needs-ast-path", op: "with-comment" }],
    ["ts:3:9:replace", { code: "unknown-operation", op: "replace" }],
    ["ts:3:9:src/b.ts", { code: "unknown-operation", op: "src/b.ts" }],
    ["ts:src/b.ts:3:9", { code: "invalid-address" }],
    ["12:15:src/b.ts", { code: "invalid-address" }],
    ["ts lines 2-3", { code: "invalid-address" }],
    ["ts L2-L3", { code: "invalid-address" }],
    ["ts 2-3", { code: "invalid-address" }],
    ["ts::3", { code: "invalid-address" }],
    ["ts:3:", { code: "invalid-address" }],
    ["ts:ast-path:f:9:3", { code: "invalid-address" }],
    ["ts:ast-path:f:0:3", { code: "invalid-address" }],
    ["ts:ast-path:f:3:9:append", { code: "needs-ast-path", op: "append" }],
    ["ts:ast-path:f:3:9:replace", { code: "unknown-operation", op: "replace" }],
    ["ts:ast-path:f:12", { code: "invalid-address" }],
    ["ts:ast-path:f:12-18:remove", { code: "invalid-address" }],
    ["ts:ast-path:", { code: "no-element-named" }],
    ["ts:99999999999999999999:99999999999999999999", { code: "invalid-address" }],
  ];
  for (const [info, reason] of invalid) {
    it(`refuses \`${info}\` with the reason`, () => {
      const opener = read(info);
      assert.deepEqual(opener.kind === "invalid" && opener.reason, reason);
    });
  }

  const plain: readonly string[] = [
    "",
    "ts",
    "ts title=a:b",
    "ts:src/app.ts",
    "ts:app.ts",
    "python:3.11",
    "js {3:5}",
    "log 12:30:15.2",
    "https://example.org/a",
    "ts:",
    `ts:3:9 ${"word ".repeat(1000)}`,
  ];
  for (const info of plain) {
    it(`takes \`${info.slice(0, 40)}\` for ordinary chat`, () =>
      assert.deepEqual(read(info), { kind: "plain" }));
  }
});
