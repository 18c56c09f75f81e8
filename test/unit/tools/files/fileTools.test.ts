import assert from "node:assert/strict";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { createFileOutline } from "../../../../src/tools/files/fileOutline.ts";
import { createReadFile } from "../../../../src/tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../../../src/tools/files/readMultipleFiles.ts";
import { fileTools } from "../../../../src/tools/fileTools.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { type ToolHarness, toolHarness } from "../toolHarness.ts";

describe("file tools", () => {
  let folder: TempFolder;
  let beside: TempFolder;
  let tools: ToolHarness;
  const at = (name: string) => path.join(folder.root, name);
  const call: ToolHarness["call"] = (...args) => tools.call(...args);
  const text = (name: string) => readFile(at(name), "utf8");
  const exists = (name: string) =>
    lstat(at(name)).then(
      () => true,
      () => false,
    );

  beforeEach(async () => {
    beside = await tempFolder({ "secret.txt": "secret" });
    folder = await tempFolder({
      ".gitignore": "out/\n*.log\n",
      ".git/config": "",
      "src/shape.ts": "export class Shape {\n  area() {\n    return 1;\n  }\n}\n",
      "src/deep/er/one.ts": "1\n",
      "src/deep/er/two.ts": "2\n",
      "docs/Übersicht – 概要.md": "# Title\n\nText.\n",
      "data.bin": new Uint8Array([0, 1, 2, 255, 0]),
      "out/built.js": "",
      "debug.log": "",
      "README.md": "Read me.\n",
    });
    await symlink(beside.root, at("away"));
    await symlink("nowhere", at("dangling"));
    await symlink("src/shape.ts", at("link.ts"));
    const workspace = await createNodeWorkspace(folder.root);
    const files = await createNodeWorkspaceFiles(folder.root);
    tools = toolHarness([
      createReadMultipleFiles(workspace, createReadFile(workspace, syntax)),
      createFileOutline(workspace, syntax),
      ...fileTools(workspace, files),
    ]);
  });
  afterEach(async () => {
    await folder.remove();
    await beside.remove();
  });

  it("read_multiple_files reads what it can and reports the rest", async () => {
    const output = await call("read_multiple_files", {
      file_paths: ["README.md", "gone.ts", "docs/Übersicht – 概要.md", "data.bin"],
    });
    assert.match(output, /^README\.md \(lines 1-1 of 1\)\n1\tRead me\.\n/);
    assert.match(output, /\n\ngone\.ts: Error \(not-found\): /);
    assert.match(output, /\n\ndocs\/Übersicht – 概要\.md \(lines 1-3 of 3\)\n1\t# Title/);
    assert.match(output, /\n\ndata\.bin: Error \(validation\): /);
    assert.match(
      await call("read_multiple_files", { file_paths: ["gone.ts"] }),
      /^Error \(not-found\)/,
    );
    assert.match(
      await call("read_multiple_files", { file_paths: [] }),
      /Too small: expected array to have >=1 items/,
    );
  });

  it("read_multiple_files omits files that make the result too long", async () => {
    for (const name of ["a.txt", "b.txt"])
      await folder.write(name, `${"x".repeat(99)}\n`.repeat(400));
    await folder.write("c.txt", "c\n");
    const output = await call("read_multiple_files", { file_paths: ["a.txt", "b.txt", "c.txt"] });
    assert.ok(output.startsWith("a.txt (lines 1-400 of 400)\n1\t"));
    assert.ok(
      output.endsWith(
        "\n\nb.txt: omitted, because it makes this result too long. Read it with another call.\n\nc.txt (lines 1-1 of 1)\n1\tc",
      ),
    );
  });

  it("find_files says when there are more files than it shows", async () => {
    for (let index = 0; index <= 500; index++) await folder.write(`many/${index}.md`, "");
    const lines = (await call("find_files", { glob: "many/*.md" })).split("\n");
    assert.equal(lines.filter((line) => line.startsWith("many/")).length, 500);
    assert.match(lines.at(-1) ?? "", /500 files/);
    assert.doesNotMatch(await call("find_files", { glob: "many/1*.md" }), /Narrow/);
  });

  it("get_file_tree lists folders first, counts deep ones and omits ignored ones", async () => {
    const tree = [
      "./ (7 files)",
      "  docs/",
      "    Übersicht – 概要.md",
      "  src/",
      "    deep/ (2 files)",
      "    shape.ts",
      "  .gitignore",
      "  README.md",
      "  data.bin",
    ];
    assert.equal(await call("get_file_tree", { depth: 2 }), tree.join("\n"));
    assert.equal(
      await call("get_file_tree", { path: "./src/deep/" }),
      "src/deep/ (2 files)\n  er/\n    one.ts\n    two.ts",
    );
    assert.match(await call("get_file_tree", { path: "lib" }), /^Error \(not-found\)/);
    assert.match(await call("get_file_tree", { path: ".." }), /^Error \(permission\)/);
    for (let index = 0; index < 3_000; index++) await folder.write(`many/${index}.txt`, "");
    assert.match(
      await call("get_file_tree", {}),
      /\n {2}many\/ \(3000 files\)\n.*\[Only 1 levels? fit/s,
    );
    assert.match(await call("get_file_tree", { path: "many" }), /more omitted\. Use find_files/);
  });

  it("find_files matches globs and Unicode names, and skips ignored files", async () => {
    assert.equal(
      await call("find_files", { glob: "**/*.ts" }),
      "src/deep/er/one.ts\nsrc/deep/er/two.ts\nsrc/shape.ts",
    );
    assert.equal(await call("find_files", { glob: "*概要*" }), "docs/Übersicht – 概要.md");
    assert.equal(
      await call("find_files", { glob: "*.{md,js}" }),
      "README.md\ndocs/Übersicht – 概要.md",
    );
    assert.match(await call("find_files", { glob: "*.log" }), /^No file matches/);
  });

  it("file_stat distinguishes files, folders and links", async () => {
    await chmod(at("README.md"), 0o444);
    assert.match(
      await call("file_stat", { path: "README.md" }),
      /^README\.md: file, 9 bytes, changed \d{4}-.*Z, read-only$/,
    );
    assert.match(await call("file_stat", { path: "src" }), /^src: folder, changed /);
    assert.match(
      await call("file_stat", { path: "link.ts" }),
      /^link\.ts: file through a symbolic link, 52 bytes/,
    );
    assert.match(await call("file_stat", { path: "gone" }), /^Error \(not-found\)/);
    assert.match(await call("file_stat", { path: "away/secret.txt" }), /^Error \(permission\)/);
  });

  it("file_outline lists elements without their text", async () => {
    assert.equal(
      await call("file_outline", { file_path: "src/shape.ts" }),
      "Shape  class 1-5\nShape-area  method 2-4",
    );
    assert.match(
      await call("file_outline", { file_path: ".gitignore" }),
      /^Error \(validation\): .*no outline.* Read it with read_file/s,
    );
  });

  for (const [name, old, content, now] of [
    ["a byte order mark", Buffer.from("\uFEFFa\n"), "b\n", "\uFEFFb\n"],
    ["a byte order mark that is given", Buffer.from("\uFEFFa\n"), "\uFEFFb\n", "\uFEFFb\n"],
    ["CRLF", Buffer.from("a\r\nb\r\n"), "c\nd\n", "c\r\nd\r\n"],
    ["LF", Buffer.from("a\nb\n"), "c\r\nd\r\n", "c\nd\n"],
    ["CR alone", Buffer.from("a\rb\r"), "c\nd\n", "c\rd\r"],
    ["mostly CR", Buffer.from("a\rb\rc\n"), "c\nd\n", "c\rd\r"],
    ["one line", Buffer.from("a"), "c\nd\r\n", "c\nd\r\n"],
    ["Latin-1", Buffer.from([0xe4, 0x0a]), "ä\n", null],
    ["UTF-16", Buffer.from("\uFEFFa\n", "utf16le"), "b\n", null],
  ] as const)
    it(`create_file keeps how a file was written, or refuses it: ${name}`, async () => {
      const place = at("old.txt");
      await writeFile(place, old);
      const args = { file_path: "old.txt", content, overwrite: true };
      assert.equal(await tools.code("create_file", args), now === null ? "binary" : null);
      assert.deepEqual(await readFile(place), now === null ? old : Buffer.from(now));
    });

  it("create_file creates a file with its folders, and overwrites only with overwrite", async () => {
    assert.equal(
      await call("create_file", { file_path: "lib/ä/new.ts", content: "a\r\nb" }),
      "lib/ä/new.ts was written.",
    );
    assert.equal(await text("lib/ä/new.ts"), "a\r\nb");
    const again = { file_path: "lib/ä/new.ts", content: "c" };
    assert.match(
      await call("create_file", again),
      /^Error \(validation\): .* exists already\. .*overwrite=true/s,
    );
    assert.equal(
      await call("create_file", { ...again, overwrite: true }),
      "lib/ä/new.ts was written.",
    );
    assert.equal(await text("lib/ä/new.ts"), "c");
    assert.match(
      await call("create_file", { file_path: "src", content: "", overwrite: true }),
      /is a folder, not a file/,
    );
    assert.match(
      await call("create_file", { file_path: "README.md/x", content: "" }),
      /^Error \(not-found\)/,
    );
  });

  it("change nothing outside the workspace or in version control folders", async () => {
    await symlink(".git", at("innocent"));
    for (const [name, args] of [
      ["create_file", { file_path: "../evil.txt", content: "" }],
      ["create_file", { file_path: "away/evil.txt", content: "" }],
      ["create_file", { file_path: "dangling", content: "" }],
      ["create_file", { file_path: ".git/hooks/pre-commit", content: "" }],
      ["create_file", { file_path: "innocent/hooks/pre-commit", content: "" }],
      // Names by which another file system finds the same folder.
      ["create_file", { file_path: ".GIT/hooks/pre-commit", content: "" }],
      ["create_file", { file_path: ".git./hooks/pre-commit", content: "" }],
      ["create_file", { file_path: ".git::$INDEX_ALLOCATION/hooks/pre-commit", content: "" }],
      ["create_file", { file_path: "GIT~1/hooks/pre-commit", content: "" }],
      ["create_file", { file_path: ".g\u200cit/hooks/pre-commit", content: "" }],
      ["create_directory", { path: "away/evil" }],
      ["delete_file", { path: "away/secret.txt" }],
      ["delete_file", { path: ".git", recursive: true }],
      ["delete_file", { path: ".", recursive: true }],
      ["rename_file", { from: "README.md", to: "away/README.md" }],
      ["rename_file", { from: "away/secret.txt", to: "secret.txt" }],
      ["copy_file", { from: "away/secret.txt", to: "secret.txt" }],
      ["copy_file", { from: "README.md", to: "../README.md" }],
    ] as const) {
      assert.match(
        await call(name, args),
        /^Error \((permission|execution)\)/,
        JSON.stringify(args),
      );
    }
    assert.deepEqual(await readdir(beside.root), ["secret.txt"]);
    assert.deepEqual(await readdir(at(".git")), ["config"]);
    assert.ok(await exists("README.md"));
  });

  it("delete_file deletes files, links and folders, non-empty ones only with recursive", async () => {
    assert.equal(await call("delete_file", { path: "README.md" }), "README.md was deleted.");
    assert.match(await call("delete_file", { path: "README.md" }), /^Error \(not-found\)/);
    assert.match(
      await call("delete_file", { path: "src" }),
      /^Error \(validation\): .*not empty.*recursive=true/s,
    );
    assert.ok(await exists("src/shape.ts"));
    assert.equal(await call("delete_file", { path: "link.ts" }), "link.ts was deleted.");
    assert.ok(await exists("src/shape.ts"));
    assert.equal(await call("delete_file", { path: "dangling" }), "dangling was deleted.");
    assert.equal(await call("delete_file", { path: "src", recursive: true }), "src was deleted.");
    assert.ok(!(await exists("src")));
    await mkdir(at("empty"));
    assert.equal(await call("delete_file", { path: "empty" }), "empty was deleted.");
  });

  it("rename_file moves files, folders and links, and overwrites only with overwrite", async () => {
    assert.equal(
      await call("rename_file", { from: "src/deep", to: "lib/deep" }),
      "src/deep is now lib/deep.",
    );
    assert.equal(await text("lib/deep/er/one.ts"), "1\n");
    assert.match(
      await call("rename_file", { from: "README.md", to: "data.bin" }),
      /exists already/,
    );
    assert.match(
      await call("rename_file", { from: "README.md", to: "src" }),
      /is a folder, not a file/,
    );
    assert.match(
      await call("rename_file", { from: "lib", to: "lib/inner" }),
      /cannot be put into itself/,
    );
    assert.match(await call("rename_file", { from: "gone", to: "here" }), /^Error \(not-found\)/);
    assert.equal(
      await call("rename_file", { from: "README.md", to: "data.bin", overwrite: true }),
      "README.md is now data.bin.",
    );
    assert.equal(await text("data.bin"), "Read me.\n");
    assert.equal(
      await call("rename_file", { from: "link.ts", to: "renamed.ts" }),
      "link.ts is now renamed.ts.",
    );
    assert.equal(await readlink(at("renamed.ts")), "src/shape.ts");
  });

  it("copy_file copies bytes, whole folders and the target of a link", async () => {
    assert.equal(
      await call("copy_file", { from: "data.bin", to: "copy/data.bin" }),
      "data.bin was copied to copy/data.bin.",
    );
    assert.deepEqual(await readFile(at("copy/data.bin")), await readFile(at("data.bin")));
    assert.equal(await call("copy_file", { from: "src", to: "twin" }), "src was copied to twin.");
    assert.equal(await text("twin/deep/er/two.ts"), "2\n");
    assert.match(await call("copy_file", { from: "README.md", to: "data.bin" }), /exists already/);
    assert.match(
      await call("copy_file", { from: "src", to: "src/again" }),
      /cannot be put into itself/,
    );
    await call("copy_file", { from: "link.ts", to: "real.ts" });
    assert.ok((await lstat(at("real.ts"))).isFile());
  });

  it("create_directory creates a folder once", async () => {
    assert.equal(await call("create_directory", { path: "a/b c/d" }), "a/b c/d/ was created.");
    assert.ok((await stat(at("a/b c/d"))).isDirectory());
    assert.match(
      await call("create_directory", { path: "a/b c" }),
      /exists already\. There is nothing to do/,
    );
  });

  it("need approval each time for the editor's configuration", async () => {
    await call("create_file", { file_path: "a.json", content: "{}" });
    await call("create_file", { file_path: ".vscode/tasks.json", content: "{}" });
    await call("copy_file", { from: ".vscode/tasks.json", to: "b.json" });
    await call("rename_file", { from: "docs", to: ".vscode" });
    await call("create_directory", { path: ".devcontainer" });
    await call("delete_file", { path: ".vscode/tasks.json" });
    const asked = tools.events.flatMap((event) =>
      event.type === "approval-request" ? [event.eachTime ?? false] : [],
    );
    assert.deepEqual(asked, [false, true, true, true, true, true]);
  });
});
