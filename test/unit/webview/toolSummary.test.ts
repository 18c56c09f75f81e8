import assert from "node:assert/strict";
import { toolSummary } from "../../../webview/cards/toolSummary.ts";

describe("toolSummary", () => {
  const cases: readonly [unknown, string][] = [
    [{ file_path: "src/a.ts" }, "src/a.ts"],
    [{ file_path: "src/a.ts", start_line: 3, end_line: 9 }, "src/a.ts lines 3–9"],
    [{ file_path: "src/a.ts", start_line: 7, end_line: 7 }, "src/a.ts line 7"],
    [{ file_path: "src/a.ts", start_line: 7 }, "src/a.ts lines 7–end"],
    [{ file_path: "src/a.ts", ast_path: "Shape-area" }, "src/a.ts Shape-area"],
    [{ pattern: "area\\(", path: "src" }, "“area\\(” in src"],
    [{ query: "x", include: "**/*.ts", regex: true }, "“x” · include **/*.ts · regex"],
    [{ file_path: "a.ts", use_line_numbers: false }, "a.ts"],
    [{ paths: ["a", "b"] }, "a, b"],
    [{ command: "npm test", working_directory: "lib" }, "npm test · working directory lib"],
    [{ from: "a.ts", to: "b.ts" }, "a.ts → b.ts"],
    [{ file_path: "a.ts", content: "export const a = 1;\n" }, "a.ts"],
    [{ question: "Which?", kind: "choice", options: ["a", "b"] }, "Which?"],
    [{ message: "Tidy", paths: ["a.ts"] }, "Tidy · a.ts"],
    ["not  json\nat all", "not json at all"],
    [undefined, ""],
    [null, ""],
    [[1, 2], ""],
    [{ deep: { er: 1 } }, ""],
  ];
  for (const [input, expected] of cases)
    it(`shows ${expected === "" ? "nothing" : expected}`, () =>
      assert.equal(toolSummary(input), expected));

  it("clips long arguments by code points", () =>
    assert.equal([...toolSummary({ path: "😀".repeat(500) })].length, 120));
});
