import assert from "node:assert/strict";
import { argumentLines } from "../../../../src/tools/mcp/mcpTool.ts";

describe("the arguments in a question about an MCP tool", () => {
  const rows: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ["are nothing where there are none", {}, ""],
    ["stand one a line, texts without quotes", { city: "Köln", days: 3 }, "city: Köln\ndays: 3"],
    ["have their own kinds", { dry: true, at: null }, "dry: true\nat: null"],
    ["unfold lists and objects", { tags: ["a"] }, 'tags: [\n  "a"\n]'],
    [
      "keep a text with lines on one of its own",
      { message: "hi\npath: /etc" },
      'message: "hi\\npath: /etc"',
    ],
    ["quote a name that is none", { "a\nb": 1, "x: y": 2 }, '"a\\nb": 1\n"x: y": 2'],
    ["quote a text with hidden characters", { key: "a\u202eb" }, 'key: "a\u202eb"'],
  ];
  for (const [what, args, lines] of rows) it(what, () => assert.equal(argumentLines(args), lines));
});
