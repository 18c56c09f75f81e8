import assert from "node:assert/strict";
import { jsonSchemaFault } from "../../../src/tools/jsonSchemaFault.ts";

const SCHEMA = {
  type: "object",
  required: ["file"],
  additionalProperties: false,
  properties: {
    file: { type: "string" },
    how: { enum: ["fast", "slow"] },
    lines: { type: "array", items: { type: "object", properties: { first: { type: "integer" } } } },
    maybe: { type: ["string", "null"] },
    kind: { const: 3 },
  },
};

describe("what does not fit a JSON Schema", () => {
  for (const [value, path] of [
    [{ file: "a" }, null],
    [{ file: "a", how: "fast", maybe: null, kind: 3, lines: [{ first: 1 }] }, null],
    [[], ""],
    [{}, "file"],
    [{ file: 1 }, "file"],
    [{ file: "a", how: "medium" }, "how"],
    [{ file: "a", kind: 4 }, "kind"],
    [{ file: "a", maybe: 1 }, "maybe"],
    [{ file: "a", other: 1 }, "other"],
    [{ file: "a", lines: [{ first: 1 }, { first: 1.5 }] }, "lines[1].first"],
  ] as const)
    it(`is found in ${JSON.stringify(value)}`, () => {
      assert.equal(jsonSchemaFault(SCHEMA, value)?.path ?? null, path);
    });

  it("is nothing where the schema says nothing that can be read", () => {
    for (const schema of [undefined, null, true, "x", { type: 3 }, { $ref: "#" }, { type: "odd" }])
      assert.equal(jsonSchemaFault(schema, { a: 1 }), null, JSON.stringify(schema));
  });
});
