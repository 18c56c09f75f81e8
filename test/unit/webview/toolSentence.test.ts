import assert from "node:assert/strict";
import type { ToolOrigin } from "../../../src/turns/turnEvent.ts";
import { onlyLooks, toolSentence } from "../../../webview/cards/toolSentence.ts";

const call = (
  name: string,
  input: unknown,
  shown: number | null = null,
  more = false,
  origin: ToolOrigin | null = null,
) =>
  ({
    name,
    origin,
    input,
    hits: shown === null ? null : { shown, more },
    hasProposed: false,
    status: "success",
  }) as const;

describe("a tool call in words", () => {
  const cases: readonly [ReturnType<typeof call>, string][] = [
    [
      call("read_file", { file_path: "src/util.ts", start_line: 240, end_line: 470 }),
      "Read util.ts 240–470",
    ],
    [call("read_file", { file_path: "src/util.ts", start_line: 7 }), "Read util.ts 7–"],
    [call("read_file", { file_path: "src/util.ts", end_line: 9 }), "Read util.ts 1–9"],
    [
      call("read_file", { file_path: "src/util.ts", ast_path: "Shape-area" }),
      "Read util.ts Shape-area",
    ],
    [call("read_multiple_files", { file_paths: ["src/a.ts", "src/b.ts"] }), "Read a.ts, b.ts"],
    [call("search_in_files", { pattern: "toDotPath" }, 4), "Searched “toDotPath” · 4 hits"],
    [
      call("search_in_files", { pattern: "x", include: "src/**" }, 1),
      "Searched “x” in src/** · 1 hit",
    ],
    [call("search_in_files", { pattern: "x" }, 0), "Searched “x” · no hits"],
    [call("find_references", { symbol: "area" }, 1, true), "Found uses of area · 1+ hits"],
    [call("list_directory", {}), "Listed the workspace"],
    [call("delete_file", { path: "src/play.ts" }), "Deleted src/play.ts"],
    [call("rename_file", { from: "a.ts", to: "b.ts" }), "Renamed a.ts → b.ts"],
    [call("run_command", { command: "npm test\n  --all" }), "Ran npm test --all"],
    [call("git_commit", { message: "Tidy\n\nAll of it" }), "Committed “Tidy”"],
    [call("git_branch", { action: "create", name: "next" }), "Git branch: create next"],
    [
      call("mcp__my_docs__find_x1", { query: "x" }, null, false, {
        tool: "find",
        server: "my docs",
      }),
      "Called find (my docs) · “x”",
    ],
    [
      call("extension__lint", { level: 2 }, null, false, { tool: "lint", server: null }),
      "Called lint (another extension) · level 2",
    ],
    [call("no_such_tool", {}), "Called no such tool"],
    [call("read_file", "not json"), "Read the workspace"],
  ];
  for (const [given, expected] of cases)
    it(`is: ${expected}`, () => assert.equal(toolSentence(given), expected));

  it("does not claim what has not happened", () => {
    const deletion = call("delete_file", { path: "play.ts" });
    for (const status of ["pending", "running", "error", "cancelled"] as const)
      assert.equal(toolSentence({ ...deletion, status }), "Delete play.ts");
    assert.equal(toolSentence({ ...deletion, input: undefined, status: "pending" }), "Delete …");
  });

  it("claims no deletion or renaming that waits for review", () => {
    const proposed = (name: string, input: unknown) =>
      toolSentence({ ...call(name, input), hasProposed: true });
    assert.equal(proposed("delete_file", { path: "play.ts" }), "Proposed deleting play.ts");
    assert.equal(proposed("rename_file", { from: "a", to: "b" }), "Proposed renaming a → b");
    assert.equal(
      toolSentence(call("edit_mode", { file_path: "src/a.ts" })),
      "Started editing a.ts",
    );
  });

  it("folds no call that needs approval or changes something", () => {
    for (const name of ["read_file", "search_in_files", "git_log"])
      assert.ok(onlyLooks(name), name);
    for (const name of [
      "run_command",
      "edit_mode",
      "open_file",
      "ask_user",
      "mcp__docs__find",
      "constructor",
    ])
      assert.ok(!onlyLooks(name), name);
  });
});
