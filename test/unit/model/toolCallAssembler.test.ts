import assert from "node:assert/strict";
import type { ToolCallDelta } from "../../../src/model/openaiChunk.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";
import { ToolCallAssembler } from "../../../src/model/toolCallAssembler.ts";

function delta(fields: Partial<ToolCallDelta>): ToolCallDelta {
  return { index: null, id: "", name: "", args: "", extra: {}, ...fields };
}

/** The calls as `id name arguments`; an id made here reads as `*`. */
function assemble(chunks: readonly (readonly Partial<ToolCallDelta>[])[], taken: readonly string[] = []): string[] {
  const assembler = new ToolCallAssembler(taken);
  const known = new Set(chunks.flat().map(({ id }) => id));
  const parts: StreamPart[] = chunks.flatMap((chunk) => assembler.push(chunk.map(delta)));
  parts.push(...assembler.end());
  return parts.flatMap((part) =>
    part.type === "tool-call-end" ? [`${known.has(part.callId) ? part.callId : "*"} ${part.name} ${part.argsText}`] : [],
  );
}

describe("tool calls", () => {
  const cases: readonly [string, Partial<ToolCallDelta>[][], string[]][] = [
    ["by index", [[{ index: 0, id: "a", name: "f" }], [{ index: 0, args: '{"x"' }], [{ index: 0, args: ":1}" }]], ['a f {"x":1}']],
    [
      "by index, interleaved, counted from 1",
      [[{ index: 1, id: "a", name: "f" }], [{ index: 2, id: "b", name: "g" }], [{ index: 1, args: "{}" }], [{ index: 2, args: '{"y":2}' }]],
      ["a f {}", 'b g {"y":2}'],
    ],
    [
      "by id, index always 0",
      [[{ index: 0, id: "a", name: "f", args: "{" }], [{ index: 0, id: "b", name: "g", args: "{}" }], [{ index: 0, id: "a", args: "}" }]],
      ["a f {}", "b g {}"],
    ],
    ["by id without index", [[{ id: "a", name: "f", args: "{}" }], [{ id: "b", name: "f", args: "{}" }]], ["a f {}", "b f {}"]],
    [
      "id and name repeated with every piece",
      [[{ index: 0, id: "a", name: "f", args: '{"x"' }], [{ index: 0, id: "a", name: "f", args: ":1}" }]],
      ['a f {"x":1}'],
    ],
    [
      "a new id with every piece",
      [[{ index: 0, id: "a", name: "f", args: '{"x"' }], [{ index: 0, id: "b", args: ":1}" }]],
      ['a f {"x":1}'],
    ],
    ["an id that comes late", [[{ index: 0, name: "f" }], [{ index: 0, id: "a", args: "{}" }]], ["* f {}"]],
    ["a name that comes late", [[{ index: 0, id: "a" }], [{ index: 0, args: "{" }], [{ index: 0, name: "f", args: "}" }]], ["a f {}"]],
    [
      "by position",
      [
        [{ name: "f" }, { name: "g" }],
        [{ args: '{"x":' }, { args: '{"y":' }],
        [{ args: "1}" }, { args: "2}" }],
      ],
      ['* f {"x":1}', '* g {"y":2}'],
    ],
    [
      "two calls of one tool in one chunk",
      [
        [
          { name: "f", args: '{"x":1}' },
          { name: "f", args: '{"x":2}' },
        ],
      ],
      ['* f {"x":1}', '* f {"x":2}'],
    ],
    [
      "the same id for two calls",
      [[{ index: 0, id: "a", name: "f", args: '{"x":1}' }], [{ index: 1, id: "a", name: "f", args: '{"x":2}' }]],
      ['a f {"x":1}', '* f {"x":2}'],
    ],
    [
      "whole arguments once more at the end",
      [[{ index: 0, id: "a", name: "f", args: '{"x":' }], [{ index: 0, args: "1}" }], [{ index: 0, id: "a", name: "f", args: '{"x":1}' }]],
      ['a f {"x":1}'],
    ],
    ["no arguments at all", [[{ index: 0, id: "a", name: "f" }]], ["a f {}"]],
    ["no name at all", [[{ index: 0, id: "a", args: '{"x":1}' }]], ['a  {"x":1}']],
  ];
  for (const [what, chunks, expected] of cases) {
    it(`are put together: ${what}`, () => {
      const read = assemble(chunks);
      assert.deepEqual(
        read.map((line, i) => (expected[i]?.startsWith("* ") ? line.replace(/^\S+/, "*") : line)),
        expected,
      );
    });
  }

  it("never get an id that the conversation holds already", () => {
    assert.deepEqual(assemble([[{ index: 0, id: "0", name: "f", args: "{}" }]], ["0"]), ["* f {}"]);
  });

  it("announce their arguments as they come", () => {
    const assembler = new ToolCallAssembler([]);
    assert.deepEqual(assembler.push([delta({ index: 0, id: "a", name: "f", args: "{" })]), [
      { type: "tool-call-start", callId: "a", name: "f" },
      { type: "tool-call-delta", callId: "a", argsText: "{" },
    ]);
    assert.deepEqual(assembler.push([delta({ index: 0, args: "}" })]), [{ type: "tool-call-delta", callId: "a", argsText: "}" }]);
  });
});
