import { checkRefused, type Door, type Said } from "../../../fakes/turns/refusedTurn.ts";

type File = readonly [path: string, text: string | null];

const SIX: File = ["src/six.ts", "one();\ntwo();\nthree();\nfour();\nfive();\nsix();\n"];

const CASES: readonly (readonly [name: string, file: File, door: Door, message: string, blocks: readonly Said[]])[] = [
  ["a first line behind the end", SIX, "lines", "```ts:9:9\nx();\n```\n", [["refused", "no-such-line"]]],
  ["a first line far behind the end", SIX, "lines", "```ts:900:901\nx();\n```\n", [["refused", "no-such-line"]]],
  ["a last line behind the end", SIX, "lines", "```ts:2:60\nx();\n```\n", [["refused", "no-such-line"]]],
  ["line 0", SIX, "lines", "```ts:0:2\nx();\n```\n", [["refused", "line-zero"]]],
  ["lines 0 to 0", SIX, "lines", "```ts:0:0\nx();\n```\n", [["refused", "line-zero"]]],
  ["a negative line", SIX, "lines", "```ts:-1:2\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["a negative last line", SIX, "lines", "```ts:2:-1\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["lines turned round", SIX, "lines", "```ts:4:2\nx();\n```\n", [["refused", "reversed-lines"]]],
  ["a number with a fraction", SIX, "lines", "```ts:1.5:2\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["a number with a sign", SIX, "lines", "```ts:+1:2\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["a hexadecimal number", SIX, "lines", "```ts:0x1:2\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["an exponent", SIX, "lines", "```ts:1e0:2\nx();\n```\n", [["refused", "not-a-line-number"]]],
  [
    "a number beyond all files",
    SIX,
    "lines",
    "```ts:99999999999999999999:99999999999999999999\nx();\n```\n",
    [["refused", "not-a-line-number"]],
  ],
  ["Arabic-Indic digits", SIX, "lines", "```ts:٢:٣\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["full-width digits", SIX, "lines", "```ts:２:３\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["a word for a number", SIX, "lines", "```ts:two:three\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["end for a number", SIX, "lines", "```ts:2:end\nx();\n```\n", [["refused", "not-a-line-number"]]],
  ["one number alone", SIX, "lines", "```ts:2\nx();\n```\n", [["refused", "single-line"]]],
  ["a range with a dash", SIX, "lines", "```ts:2-3\nx();\n```\n", [["refused", "single-line"]]],
  ["a range with a comma", SIX, "lines", "```ts:2,3\nx();\n```\n", [["refused", "single-line"]]],
  ["lines with an L", SIX, "lines", "```ts:L2-L3\nx();\n```\n", [["refused", "single-line"]]],
  ["a missing last line", SIX, "lines", "```ts:2:\nx();\n```\n", [["refused", "last-line-missing"]]],
  ["a missing first line", SIX, "lines", "```ts::2\nx();\n```\n", [["refused", "first-line-missing"]]],
  ["an operation that is none", SIX, "lines", "```ts:2:3:replace\nx();\n```\n", [["refused", "unknown-operation"]]],
  ["an operation in capitals", SIX, "lines", "```ts:2:3:REMOVE\n```\n", [["refused", "unknown-operation"]]],
  ["two operations", SIX, "lines", "```ts:2:3:before:after\nx();\n```\n", [["refused", "unknown-operation"]]],
  ["append on lines", SIX, "lines", "```ts:2:3:append\nx();\n```\n", [["refused", "needs-ast-path"]]],
  ["prepend on lines", SIX, "lines", "```ts:2:3:prepend\nx();\n```\n", [["refused", "needs-ast-path"]]],
  ["with-comment on lines", SIX, "lines", "```ts:2:3:with-comment\nx();\n```\n", [["refused", "needs-ast-path"]]],
  ["the file before the lines", SIX, "lines", "```ts:src/six.ts:2:3\nx();\n```\n", [["refused", "file-name-in-address"]]],
  ["the file behind a colon", SIX, "lines", "```ts:2:3:src/six.ts\nx();\n```\n", [["refused", "unknown-operation"]]],
  ["nothing to insert before", SIX, "lines", "```ts:2:2:before\n```\n", [["refused", "empty-body"]]],
  ["nothing to insert after", SIX, "lines", "```ts:2:2:after\n```\n", [["refused", "empty-body"]]],
  ["nothing to append behind the end", SIX, "lines", "```ts:7:7\n```\n", [["refused", "empty-body"]]],
  ["removing behind the end", SIX, "lines", "```ts:7:7:remove\n```\n", [["refused", "nothing-to-remove"]]],
  ["removing far behind the end", SIX, "lines", "```ts:8:9:remove\n```\n", [["refused", "nothing-to-remove"]]],
  [
    "an overlap",
    SIX,
    "lines",
    "```ts:1:3\nx();\n```\n```ts:3:4\ny();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  [
    "the same lines twice",
    SIX,
    "lines",
    "```ts:2:2\nx();\n```\n```ts:2:2\ny();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  [
    "the same block twice",
    SIX,
    "lines",
    "```ts:2:2\nx();\n```\n```ts:2:2\nx();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  [
    "a block inside another's lines",
    SIX,
    "lines",
    "```ts:1:6\nx();\n```\n```ts:3:3\ny();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  [
    "an insertion into replaced lines",
    SIX,
    "lines",
    "```ts:1:4\nx();\n```\n```ts:2:2:after\ny();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  [
    "a removal of lines that another replaces",
    SIX,
    "lines",
    "```ts:2:3:remove\n```\n```ts:3:3\nx();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  [
    "a third block on lines that two wanted",
    SIX,
    "lines",
    "```ts:2:2\nx();\n```\n```ts:2:2\ny();\n```\n```ts:2:2\nz();\n```\n",
    [
      ["refused", "overlap"],
      ["refused", "overlap"],
      ["refused", "overlap"],
    ],
  ],
  ["append to what has no body", SIX, "free", "```ts:ast-path:@file:with-comment\nx();\n```\n", [["refused", "file-operation"]]],
  ["a file that is not in edit mode", SIX, "lines", "```ts:2:2 src/other.ts\nx();\n```\n", [["refused", "not-in-edit-mode"]]],
  ["a file outside of the workspace", SIX, "lines", "```ts:2:2 ../../etc/passwd\nx();\n```\n", [["refused", "not-in-edit-mode"]]],
  ["an absolute path elsewhere", SIX, "lines", "```ts:2:2 /etc/passwd\nx();\n```\n", [["refused", "not-in-edit-mode"]]],
  ["a time that looks like lines", SIX, "lines", "```log:12\nx\n```\n", [["refused", "single-line"]]],
];

describe("blocks by lines that must not be applied", () => {
  for (const [name, [path, text], door, message, blocks] of CASES) {
    it(`refuses or flags ${name}`, () => checkRefused({ path, text, door, message, blocks }));
  }
});
