import assert from "node:assert/strict";
import * as z from "zod/mini";
import { namedTool } from "../../../src/tools/defineTool.ts";

/** What a tool with these parameters takes from a call; its error's message where it takes none. */
function taken(schema: z.ZodMiniType, input: unknown): unknown {
  let args: unknown;
  const tool = namedTool("probe", {
    description: "",
    category: "file",
    effect: "write",
    schema,
    question: (parsed) => {
      args = parsed;
      return { summary: "" };
    },
    execute: async () => ({ ok: true, output: "" }),
  });
  const call = tool.prepare(input);
  return call.ok ? args : call.error.message;
}

describe("slips of models in the arguments of a call", () => {
  const file = z.object({ file_path: z.string() });
  const folder = z.object({ path: z.optional(z.string()) });
  const both = z.object({ file_path: z.string(), path: z.optional(z.string()) });
  const edits = z.object({
    file_path: z.string(),
    edits: z.array(z.object({ search: z.string(), replace: z.string() })),
  });
  const names = z.object({ names: z.array(z.string()), text: z.optional(z.string()) });
  const lines = z.object({
    start: z.optional(z.int()),
    share: z.optional(z.number()),
    all: z.optional(z.boolean()),
    name: z.optional(z.string()),
  });
  const list = [{ search: '"a"\n', replace: "[b]" }];

  for (const [what, schema, input, expected] of [
    ["path for file_path", file, { path: "a.ts" }, { file_path: "a.ts" }],
    ["file_path for path", folder, { file_path: "src" }, { path: "src" }],
    ["null for a parameter that is left out", folder, { path: null }, {}],
    ["text for a number", lines, { start: "1", share: "0.5" }, { start: 1, share: 0.5 }],
    ["text for a truth value", lines, { all: "True" }, { all: true }],
    ["nothing in a parameter that is left out", lines, { start: "", name: "" }, {}],
    ["text for a number in a list", z.object({ at: z.array(z.int()) }), { at: ["1"] }, { at: [1] }],
    ["nothing in one that must be there", z.object({ to: z.string() }), { to: "" }, { to: "" }],
    ["path with file_path null", file, { path: "a.ts", file_path: null }, { file_path: "a.ts" }],
    [
      "both names where a tool knows both",
      both,
      { path: "b", file_path: "a" },
      { path: "b", file_path: "a" },
    ],
    [
      "a list as JSON text",
      edits,
      { file_path: "a.ts", edits: JSON.stringify(list) },
      { file_path: "a.ts", edits: list },
    ],
    [
      "two slips at once",
      edits,
      { path: "a.ts", edits: JSON.stringify(list) },
      { file_path: "a.ts", edits: list },
    ],
    [
      "text that looks like a list",
      names,
      { names: ["a"], text: "[1]" },
      { names: ["a"], text: "[1]" },
    ],
  ] as const) {
    it(`are understood: ${what}`, () => {
      assert.deepEqual(taken(schema, input), expected);
    });
  }

  for (const [what, schema, input, expected] of [
    [
      "a list that is not JSON",
      names,
      { names: "a, b" },
      /names: .*expected array, received string/,
    ],
    [
      "JSON text that is no list",
      names,
      { names: '{"a":1}' },
      /names: .*expected array, received string/,
    ],
    ["neither name", file, { file: "a.ts" }, /file_path: .*expected string, received undefined/],
  ] as const) {
    it(`are an error that names the parameter: ${what}`, () => {
      assert.match(String(taken(schema, input)), expected);
    });
  }

  it("leave the name that was given where both are there", () => {
    assert.deepEqual(taken(file, { path: "b.ts", file_path: "a.ts" }), { file_path: "a.ts" });
  });
});
