import assert from "node:assert/strict";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { Workspace } from "../../../../src/ports/workspace.ts";
import { createListDirectory } from "../../../../src/tools/files/listDirectory.ts";
import { createReadFile } from "../../../../src/tools/files/readFile.ts";
import { createSearchInFiles } from "../../../../src/tools/search/searchInFiles.ts";
import type { ToolOutcome } from "../../../../src/tools/tool.ts";
import { toolResultText } from "../../../../src/tools/toolResultText.ts";
import { createToolRouter, MAX_RESULT_LENGTH } from "../../../../src/tools/toolRouter.ts";
import { allowAll } from "../../../fakes/allowAll.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import { runCall } from "../../../fakes/runCall.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const shape = `import { pi } from "./pi";

/** Its area. */
export class Shape {
  area(): number {
    return pi;
  }
}
`;

describe("reading tools", () => {
  let folder: TempFolder;
  let workspace: Workspace;

  before(async () => {
    folder = await tempFolder({
      "src/shape.ts": shape,
      "src/data.bin": new Uint8Array([0, 1, 2, 0]),
      "notes.txt": "one\r\ntwo\r\n",
      "long.txt": Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`).join("\n"),
      "wide.txt": "x".repeat(500_000),
      "empty.txt": "",
    });
    workspace = await createNodeWorkspace(folder.root);
  });
  after(() => folder.remove());

  async function resultOf(name: string, args: unknown): Promise<ToolOutcome> {
    const router = createToolRouter(
      [
        createReadFile(workspace, syntax),
        createListDirectory(workspace),
        createSearchInFiles(workspace),
      ],
      allowAll,
    );
    const streams = { register: () => assert.fail("reading tools do not listen") };
    const context = {
      turnId: "t",
      callId: "c",
      signal: new AbortController().signal,
      emit: () => undefined,
      streams,
    };
    return await runCall(router, { callId: "c", name, argsText: JSON.stringify(args) }, context);
  }

  const call = async (name: string, args: unknown) => toolResultText(await resultOf(name, args));

  describe("read_file", () => {
    it("returns the whole file with numbered lines and an outline", async () => {
      const [text, outline] = (await call("read_file", { file_path: "src/shape.ts" })).split(
        "\n\nOutline (AST paths):\n",
      );
      const lines = shape
        .trimEnd()
        .split("\n")
        .map((line, index) => `${index + 1}\t${line}`);
      assert.equal(text, ["src/shape.ts (lines 1-8 of 8)", ...lines].join("\n"));
      assert.match(outline ?? "", /^Shape {2}class 4-8$/m);
      assert.match(outline ?? "", /^Shape-area {2}method 5-7$/m);
    });

    it("returns a range, an element, a file without a grammar and an empty one", async () => {
      assert.equal(
        await call("read_file", { file_path: "notes.txt", start_line: 2, end_line: 9 }),
        "notes.txt (lines 2-2 of 2)\n2\ttwo",
      );
      assert.equal(
        await call("read_file", { file_path: "src/shape.ts", ast_path: "Shape-area" }),
        "src/shape.ts (lines 5-7 of 8)\n5\t  area(): number {\n6\t    return pi;\n7\t  }\n\n" +
          "Outline (AST paths):\n@imports  import 1\nShape  class 4-8\nShape-area  method 5-7",
      );
      assert.equal(
        await call("read_file", { file_path: "empty.txt" }),
        "empty.txt (lines 1-1 of 1)\n1\t",
      );
    });

    it("says where to read on in a long file, and clips a huge line", async () => {
      const text = await call("read_file", { file_path: "long.txt" });
      assert.ok(text.length < MAX_RESULT_LENGTH);
      const [, last, next] =
        /\[Clipped after line (\d+)\. Read on with start_line=(\d+)\.\]$/.exec(text) ?? [];
      assert.equal(Number(next), Number(last) + 1);
      assert.match(
        await call("read_file", { file_path: "long.txt", start_line: Number(next) }),
        new RegExp(`^${next}\tline ${next}$`, "m"),
      );
      assert.match(
        await call("read_file", { file_path: "wide.txt" }),
        /x… \[line clipped: 500000 characters\]$/,
      );
    });

    it("rejects wrong arguments and unusable files", async () => {
      const read = (args: object) => call("read_file", { file_path: "src/shape.ts", ...args });
      assert.match(await read({ start_line: 9 }), /start_line is 9, but the file has 8 lines/);
      assert.match(await read({ start_line: 5, end_line: 4 }), /end_line 4 is before start_line 5/);
      assert.match(await read({ start_line: 0 }), /start_line: .*>=1/);
      assert.match(await read({ start_line: 1, ast_path: "Shape" }), /ast_path cannot be combined/);
      assert.match(await read({ ast_path: "Shape-aria" }), /^Error \(not-found\): .*Shape-area/s);
      assert.match(
        await call("read_file", { file_path: "notes.txt", ast_path: "x" }),
        /has no outline/,
      );
      assert.match(
        await call("read_file", { file_path: "gone.ts" }),
        /^Error \(not-found\): .*gone\.ts.* Look for it with list_directory/s,
      );
      assert.match(await call("read_file", { file_path: "../x" }), /^Error \(permission\)/);
      assert.match(
        await call("read_file", { file_path: "src/data.bin" }),
        /^Error \(validation\): .*not a UTF-8 text file/s,
      );
      assert.match(await call("read_file", { file_path: "src" }), /^Error \(validation\)/);
    });
  });

  it("list_directory lists folders first", async () => {
    assert.equal(
      await call("list_directory", {}),
      "src/\nempty.txt\nlong.txt\nnotes.txt\nwide.txt",
    );
    assert.equal(await call("list_directory", { path: "src" }), "data.bin\nshape.ts");
    assert.match(await call("list_directory", { path: "lib" }), /^Error \(not-found\)/);
  });

  it("search_in_files lists matching lines, and says when there are more or none", async () => {
    assert.equal(
      await call("search_in_files", { pattern: "AREA()" }),
      "src/shape.ts:5\t  area(): number {",
    );
    assert.equal(
      await call("search_in_files", { pattern: "AREA()", case_sensitive: true }),
      "No matches.",
    );
    assert.equal(
      await call("search_in_files", { pattern: "^t.o$", is_regexp: true, include: "*.txt" }),
      "notes.txt:2\ttwo",
    );
    assert.match(
      await call("search_in_files", { pattern: "line" }),
      /\[Only the first 200 matches are shown\. Narrow the search/,
    );
    assert.match(await call("search_in_files", { pattern: "(", is_regexp: true }), /^Error/);
  });

  it("search_in_files counts its hits for the panel", async () => {
    const hits = async (pattern: string) => {
      const result = await resultOf("search_in_files", { pattern });
      return result.ok ? result.hits : null;
    };
    assert.deepEqual(await hits("AREA()"), { shown: 1, more: false });
    assert.deepEqual(await hits("line"), { shown: 200, more: true });
    assert.deepEqual(await hits("nowhere to be found"), { shown: 0, more: false });
  });
});
