import assert from "node:assert/strict";
import fc from "fast-check";
import type { ToolCallDelta } from "../../../src/model/openai/openaiChunk.ts";
import { ToolCallAssembler } from "../../../src/model/openai/toolCallAssembler.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";

function delta(fields: Partial<ToolCallDelta>): ToolCallDelta {
  return { choice: 0, index: null, id: "", name: "", args: "", extra: {}, ...fields };
}

/** The calls as `id name arguments`; an id made here reads as `*`. */
function assemble(
  chunks: readonly (readonly Partial<ToolCallDelta>[])[],
  taken: readonly string[] = [],
  offered: readonly string[] = [],
): string[] {
  const assembler = new ToolCallAssembler(taken, offered);
  const known = new Set(chunks.flat().map(({ id }) => id));
  const parts: StreamPart[] = chunks.flatMap((chunk) => assembler.push(chunk.map(delta)));
  parts.push(...assembler.end());
  return parts.flatMap((part) =>
    part.type === "tool-call-end"
      ? [`${known.has(part.callId) ? part.callId : "*"} ${part.name} ${part.argsText}`]
      : [],
  );
}

describe("tool calls in odd pieces", () => {
  const TOOLS = ["read_file", "read", "search_in_files", "git_status"];
  const args = '{"x":1}';
  for (const [what, chunks, expected = [`a read_file ${args}`]] of [
    [
      "a name in two pieces",
      [[{ index: 0, id: "a", name: "read_" }], [{ index: 0, name: "file", args }]],
    ],
    [
      "a name that begins with another",
      [[{ index: 0, id: "a", name: "read" }], [{ index: 0, name: "_file" }], [{ index: 0, args }]],
    ],
    [
      "a name in pieces, without an index",
      [[{ id: "a", name: "read_" }], [{ name: "file" }], [{ args }]],
    ],
    [
      "a name in pieces beside its arguments",
      [
        [{ index: 0, id: "a", name: "read_", args: "{" }],
        [{ index: 0, name: "file", args: '"x":1}' }],
      ],
    ],
    [
      "a prefix as a piece",
      [[{ index: 0, id: "a", name: "functions." }], [{ index: 0, name: "read_file", args }]],
    ],
    ["a name that a gateway joined", [[{ index: 0, id: "a", name: "read_fileread_file", args }]]],
    [
      "two names in pieces at once",
      [
        [
          { index: 0, id: "a", name: "read_" },
          { index: 1, id: "b", name: "git_" },
        ],
        [
          { index: 0, name: "file", args },
          { index: 1, name: "status", args: "{}" },
        ],
      ],
      [`a read_file ${args}`, "b git_status {}"],
    ],
    [
      "an empty object first",
      [
        [{ index: 0, id: "a", name: "read_file", args: "{}" }],
        [{ index: 0, args: '{"x"' }],
        [{ index: 0, args: ":1}" }],
      ],
    ],
    [
      "an empty object first, and the name again",
      [[{ index: 0, name: "read_file", args: "{}" }], [{ index: 0, name: "read_file", args }]],
      [`* read_file ${args}`],
    ],
    [
      "an empty object before the arguments",
      [[{ index: 0, id: "a", name: "read_file", args: `{}${args}` }]],
    ],
    ["an empty object after them", [[{ index: 0, id: "a", name: "read_file", args: `${args}{}` }]]],
    [
      "null before them",
      [[{ index: 0, id: "a", name: "read_file", args: "null" }], [{ index: 0, args }]],
    ],
    ["the arguments twice", [[{ index: 0, id: "a", name: "read_file", args: args + args }]]],
    [
      "a name that is another tool's, too",
      [[{ index: 0, id: "a", name: "read" }], [{ index: 0, args }]],
      [`a read ${args}`],
    ],
  ] as readonly (readonly [string, Partial<ToolCallDelta>[][], string[]?])[])
    it(`are put together: ${what}`, () => {
      assert.deepEqual(assemble(chunks, [], TOOLS), expected);
    });
});

describe("tool calls", () => {
  const cases: readonly [string, Partial<ToolCallDelta>[][], string[]][] = [
    [
      "by index",
      [
        [{ index: 0, id: "a", name: "f" }],
        [{ index: 0, args: '{"x"' }],
        [{ index: 0, args: ":1}" }],
      ],
      ['a f {"x":1}'],
    ],
    [
      "by index, interleaved, counted from 1",
      [
        [{ index: 1, id: "a", name: "f" }],
        [{ index: 2, id: "b", name: "g" }],
        [{ index: 1, args: "{}" }],
        [{ index: 2, args: '{"y":2}' }],
      ],
      ["a f {}", 'b g {"y":2}'],
    ],
    [
      "by id, index always 0",
      [
        [{ index: 0, id: "a", name: "f", args: "{" }],
        [{ index: 0, id: "b", name: "g", args: "{}" }],
        [{ index: 0, id: "a", args: "}" }],
      ],
      ["a f {}", "b g {}"],
    ],
    [
      "by id without index",
      [[{ id: "a", name: "f", args: "{}" }], [{ id: "b", name: "f", args: "{}" }]],
      ["a f {}", "b f {}"],
    ],
    [
      "id and name repeated with every piece",
      [
        [{ index: 0, id: "a", name: "f", args: '{"x"' }],
        [{ index: 0, id: "a", name: "f", args: ":1}" }],
      ],
      ['a f {"x":1}'],
    ],
    [
      "a new id with every piece",
      [[{ index: 0, id: "a", name: "f", args: '{"x"' }], [{ index: 0, id: "b", args: ":1}" }]],
      ['a f {"x":1}'],
    ],
    [
      "an id that comes late",
      [[{ index: 0, name: "f" }], [{ index: 0, id: "a", args: "{}" }]],
      ["* f {}"],
    ],
    [
      "a name that comes late",
      [[{ index: 0, id: "a" }], [{ index: 0, args: "{" }], [{ index: 0, name: "f", args: "}" }]],
      ["a f {}"],
    ],
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
      [
        [{ index: 0, id: "a", name: "f", args: '{"x":1}' }],
        [{ index: 1, id: "a", name: "f", args: '{"x":2}' }],
      ],
      ['a f {"x":1}', '* f {"x":2}'],
    ],
    [
      "whole arguments once more at the end",
      [
        [{ index: 0, id: "a", name: "f", args: '{"x":' }],
        [{ index: 0, args: "1}" }],
        [{ index: 0, id: "a", name: "f", args: '{"x":1}' }],
      ],
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
    assert.deepEqual(assembler.push([delta({ index: 0, args: "}" })]), [
      { type: "tool-call-delta", callId: "a", argsText: "}" },
    ]);
  });

  /** What each chunk brings: the starts and ends of calls. */
  const ends = (chunks: readonly (readonly Partial<ToolCallDelta>[] | "text")[]): string[] => {
    const assembler = new ToolCallAssembler([]);
    const read = (parts: readonly StreamPart[]) =>
      parts
        .flatMap((part) => {
          if (part.type === "tool-call-start") return [`start ${part.callId}`];
          return part.type === "tool-call-end" ? [`end ${part.callId} ${part.argsText}`] : [];
        })
        .join(", ");
    return [
      ...chunks.map((chunk) =>
        read(chunk === "text" ? assembler.settle() : assembler.push(chunk.map(delta))),
      ),
      read(assembler.end()),
    ];
  };
  const a = { index: 0, id: "a", name: "f" };
  const b = { index: 1, id: "b", name: "g" };
  const settling: readonly [string, Parameters<typeof ends>[0], string[]][] = [
    [
      "when the next one begins",
      [[{ ...a, args: '{"x"' }], [{ index: 0, args: ":1}" }], [b], [{ index: 1, args: '{"y":2}' }]],
      ["start a", "", 'end a {"x":1}, start b', "", 'end b {"y":2}'],
    ],
    [
      "when text follows",
      [[{ ...a, args: '{"x":1}' }], "text", "text"],
      ["start a", 'end a {"x":1}', "", ""],
    ],
    [
      "with the next one in the same chunk",
      [
        [
          { ...a, args: '{"x":1}' },
          { ...b, args: "{}" },
        ],
      ],
      ['start a, end a {"x":1}, start b', "end b {}"],
    ],
    [
      "once, whatever comes for them later",
      [
        [{ ...a, args: '{"x":1}' }],
        [b],
        [{ ...a, args: '{"x":1}' }],
        [{ index: 0, args: "\n" }],
        [{ index: 0, args: ',"z"' }],
      ],
      ["start a", 'end a {"x":1}, start b', "", "", "", "end b {}"],
    ],
    [
      "at the end where the next one began before they were complete",
      [
        [{ ...a, args: '{"x"' }],
        [b],
        [{ index: 0, args: ":1}" }],
        "text",
        [{ index: 1, args: '{"y":2}' }],
        "text",
      ],
      ["start a", "start b", "", "", "", "", 'end a {"x":1}, end b {"y":2}'],
    ],
    [
      "at the end where they may only have begun with an empty object",
      [[{ ...a, args: "{}" }], "text", [b], [{ index: 1, args: " { } " }], "text"],
      ["start a", "", "start b", "", "", "end a {}, end b  { } "],
    ],
    [
      "at the end where they have no name yet",
      [[{ index: 0, id: "a", args: '{"x":1}' }], "text"],
      ["", "", 'start a, end a {"x":1}'],
    ],
    [
      "at the end where their arguments are no object",
      [[{ ...a, args: "[1]" }], "text"],
      ["start a", "", "end a [1]"],
    ],
  ];
  for (const [what, chunks, expected] of settling) {
    it(`end ${what}`, () => assert.deepEqual(ends(chunks), expected));
  }

  it("are read the same however their pieces interleave", () => {
    const call = fc.record({
      args: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
      cuts: fc.array(fc.nat(20), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(9), { maxLength: 30 }),
        (calls, order) => {
          const pieces = calls.map(({ args, cuts }, index) => {
            const text = JSON.stringify(args);
            const at = [
              0,
              ...cuts.filter((cut) => cut < text.length).toSorted((x, y) => x - y),
              text.length,
            ];
            const parts = at.slice(1).map((end, k) => ({ index, args: text.slice(at[k], end) }));
            return [{ index, id: `id${index}`, name: `f${index}` }, ...parts];
          });
          const chunks: Partial<ToolCallDelta>[][] = [];
          // Calls begin in order, what follows comes as it comes.
          for (let turn = 0; pieces.some((left) => left.length > 0); turn++) {
            const open = pieces.findIndex((left) => left.length > 0);
            const wanted = (order[turn % (order.length || 1)] ?? 0) % (open + 2);
            const next = (pieces[wanted]?.length ? pieces[wanted] : pieces[open])?.shift();
            if (next) chunks.push([next]);
          }
          const read = assemble(chunks).map((line) => line.slice(line.indexOf("{")));
          assert.deepEqual(
            read.toSorted(),
            calls.map(({ args }) => JSON.stringify(args)).toSorted(),
          );
        },
      ),
    );
  });
});
