import assert from "node:assert/strict";
import { RepeatedCalls } from "../../../../src/agent/loop/askToContinue.ts";
import { readCall } from "../../../../src/tools/toolArguments.ts";

const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

describe("a call that a model repeats", () => {
  const rows: readonly (readonly [what: string, isRepeated: boolean, ...args: string[]])[] = [
    ["counts as such", true, '{"a":1}', '{"a":1}', '{"a":1}'],
    ["may have other white space", true, '{"a":1}', ' { "a" : 1 }\n', '{\n  "a": 1\n}'],
    ["may have its keys in another order", true, '{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":2}'],
    [
      "also within a value",
      true,
      '{"x":[{"a":1,"b":2}]}',
      '{"x":[{"b":2,"a":1}]}',
      '{"x":[{"a":1,"b":2}]}',
    ],
    ["may write its letters as escapes", true, '{"a":"x"}', '{"a":"\\u0078"}', '{"a":"x"}'],
    ["may be JSON in a string", true, '{"a":1}', '"{\\"a\\": 1}"', '{"a":1}'],
    ["has the same white space in its values", false, '{"a":"x y"}', '{"a":"x  y"}', '{"a":"x y"}'],
    ["has its lists in the same order", false, '{"a":[1,2]}', '{"a":[2,1]}', '{"a":[1,2]}'],
    ["has the same kinds of values", false, '{"a":1}', '{"a":"1"}', '{"a":1}'],
    ["may have arguments that are no JSON", true, "{a", "{a ", "{a"],
    ["may be nested deeply", true, nested, `${nested} `, nested],
  ];
  for (const [what, isRepeated, ...args] of rows)
    it(what, () => {
      const calls = new RepeatedCalls();
      const seen = args.map((argsText) =>
        calls.isRepeated(readCall({ callId: "c", name: "read_file", argsText }), "same"),
      );
      assert.deepEqual(seen, [false, false, isRepeated]);
    });
});
