import assert from "node:assert/strict";
import { type DemoIntent, demoIntent } from "../../../src/demo/demoIntent.ts";
import { namedFile } from "../../../src/demo/sourcePath.ts";

describe("demo intent", () => {
  const cases: readonly (readonly [string, DemoIntent])[] = [
    ["Add a doc comment to each exported function", { kind: "document", target: null, members: false }],
    ["please add JSDoc to `area` in src/app.ts", { kind: "document", target: "area", members: false }],
    ["Add docstrings to the methods too", { kind: "document", target: null, members: true }],
    ["document the class Cart", { kind: "document", target: "Cart", members: false }],
    ["Rename describe to summarize", { kind: "rename", from: "describe", to: "summarize" }],
    ["rename the function `area` into `surface`.", { kind: "rename", from: "area", to: "surface" }],
    ["Rename area in src/shapes.ts to surface", { kind: "rename", from: "area", to: "surface" }],
    ["rename class Circle as Disc", { kind: "rename", from: "Circle", to: "Disc" }],
    ["rename Cart.add to put", { kind: "rename", from: "Cart.add", to: "put" }],
    ["Extract a constant", { kind: "extract", literal: null, name: null }],
    ["extract 0.19 to a constant TAX_RATE", { kind: "extract", literal: "0.19", name: "TAX_RATE" }],
    ["extract the literal 'EUR' as `CURRENCY`", { kind: "extract", literal: '"EUR"', name: "CURRENCY" }],
    ["Extract the magic number to the top", { kind: "extract", literal: null, name: null }],
    ["Add a guard to `polygonArea`", { kind: "guard", target: "polygonArea" }],
    ["validate the parameters of total()", { kind: "guard", target: "total" }],
    ["Explain the outline of src/app.ts", { kind: "explain" }],
    ["What does this file do?", { kind: "explain" }],
    ["hello", { kind: "unknown", hint: null }],
  ];
  for (const [request, intent] of cases) {
    it(`understands: ${request}`, () => assert.deepEqual(demoIntent(request), intent));
  }

  const files: readonly (readonly [string, string | null])[] = [
    ["Explain src/app.ts", "src/app.ts"],
    ["Explain `my file.py`, please", "my file.py"],
    ["in ./a-b/c_d.test.jsx.", "./a-b/c_d.test.jsx"],
    ["in src\\win\\path.ts now", "src/win/path.ts"],
    ["rename a.b to c", null],
    ["extract 3.14", null],
    ["see https://example.com/x", null],
  ];
  for (const [request, file] of files) {
    it(`finds ${file ?? "no file"} in: ${request}`, () => assert.equal(namedFile(request), file));
  }
});
