import assert from "node:assert/strict";
import { blockFormat, openerHint } from "../../../../src/edits/answer/blockFormat.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";

describe("the format that edit mode states", () => {
  for (const [path, tag, element, first] of [
    ["a.ts", "ts", "Shape-area", "const total"],
    ["a.py", "py", "Shape-area", "total ="],
    ["a.go", "go", "Shape-Area", "total :="],
    ["a.rs", "rs", "Shape-area", "let total"],
    ["a.css", "css", ".shape", "color:"],
    ["a.md", "md", "Install", "Run the"],
    ["a.txt", "txt", "Install", "Run the"],
    ["a.JSON", "json", "scripts-build", '"build":'],
  ] as const)
    it(`is shown in the file's own language: ${path}`, () => {
      const both = blockFormat(null, path, false);
      assert.ok(both.includes(`\`\`\`${tag}:ast-path:${element}\n`), both);
      const lines = blockFormat("lines", path, true);
      assert.ok(lines.includes(`\`\`\`${tag}:3:9 "${first}" "`), lines);
      assert.ok(openerHint("ast", path, false).includes(`\`\`\`${tag}:ast-path:${element} `));
      if (tag !== "ts") assert.doesNotMatch(both + lines, /```ts:|const total/);
    });

  for (const [path, parameters, mode] of [
    ["a.ts", {}, "Mode: AST paths preferred (use_line_numbers not set)."],
    ["a.ts", { use_line_numbers: false }, "Mode: AST paths (use_line_numbers=false)."],
    ["a.ts", { use_line_numbers: true }, "Mode: line numbers (use_line_numbers=true)."],
    ["a.xyz", {}, "Mode: line numbers (use_line_numbers not set)."],
    ["a.ts", { complete_file: true }, "Mode: complete file."],
    ["new.ts", {}, "Mode: complete file."],
  ] as const)
    it(`names the mode and the parameter as it was given: ${path} ${JSON.stringify(parameters)}`, async () => {
      const turn = new EditTurn({ "a.ts": "one();\n", "a.xyz": "one\n" });
      const reply = await turn.edit({ file_path: path, ...parameters });
      turn.hub.turnEnd();
      assert.ok(reply.includes(mode), reply);
    });
});
