import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink } from "node:fs/promises";
import * as path from "node:path";
import { createNodeWorkspace, searchFiles } from "../../../../src/node/files/nodeWorkspace.ts";
import {
  type FileError,
  MAX_FILE_BYTES,
  type TextSearch,
  type Workspace,
} from "../../../../src/ports/workspace.ts";
import { ENCODED_SEARCHES, OTHER_ENCODINGS } from "../../../fakes/workspace/otherEncodings.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const never = new AbortController().signal;

describe("node workspace", () => {
  let folder: TempFolder;
  let outside: TempFolder;
  let workspace: Workspace;

  beforeEach(async () => {
    folder = await tempFolder({ "src/app.ts": "const a = 1;\n", "README.md": "# Hi\n" });
    outside = await tempFolder({ "secret.txt": "secret\n" });
    workspace = await createNodeWorkspace(folder.root);
  });

  afterEach(async () => {
    await folder.remove();
    await outside.remove();
  });

  async function read(name: string): Promise<string | FileError["code"]> {
    const file = await workspace.resolve(name);
    if (!file.ok) return file.error.code;
    const text = await workspace.read(file.value, never);
    return text.ok ? text.value.text : text.error.code;
  }

  async function search(query: Partial<TextSearch>): Promise<readonly string[]> {
    const found = await workspace.search(
      {
        pattern: "needle",
        isRegExp: false,
        caseSensitive: true,
        include: null,
        limit: 100,
        ...query,
      },
      never,
    );
    return found.ok
      ? found.value.matches.map(({ path: file, line }) => `${file}:${line}`)
      : [found.error.code];
  }

  it("reads a file by relative, dotted and absolute path, exactly as it is", async () => {
    await folder.write("bom.ts", "\uFEFFa\r\nb\n\nc");
    assert.equal(await read("bom.ts"), "\uFEFFa\r\nb\n\nc");
    assert.equal(await read("./src/app.ts"), "const a = 1;\n");
    assert.equal(await read(path.join(folder.root, "src", "app.ts")), "const a = 1;\n");
  });

  it("accepts absolute paths through a root that is itself a symlink", async () => {
    const link = path.join(outside.root, "link-to-root");
    await symlink(folder.root, link);
    workspace = await createNodeWorkspace(link);
    assert.equal(await read(path.join(link, "src/app.ts")), "const a = 1;\n");
    assert.equal(await read(path.join(folder.root, "src/app.ts")), "const a = 1;\n");
  });

  it("refuses paths outside the workspace, however they are spelled", async () => {
    await symlink(path.join(outside.root, "secret.txt"), path.join(folder.root, "link.txt"));
    await symlink(outside.root, path.join(folder.root, "linked"));
    const names = ["../x", "src/../../x", "/etc/passwd", path.join(outside.root, "secret.txt")];
    for (const name of names) assert.equal(await read(name), "outside-workspace", name);
    for (const name of ["link.txt", "linked/secret.txt", "linked/new.txt"])
      assert.equal(await read(name), "leads-outside", name);
  });

  it("follows links that stay inside, and refuses dangling and circular ones", async () => {
    await symlink("src/app.ts", path.join(folder.root, "inside.ts"));
    await symlink("nowhere/file.ts", path.join(folder.root, "dangling.ts"));
    await symlink("circle.ts", path.join(folder.root, "circle.ts"));
    assert.equal(await read("inside.ts"), "const a = 1;\n");
    assert.equal(await read("dangling.ts"), "broken-link");
    assert.equal(await read("circle.ts"), "broken-link");
  });

  it("notices a link that replaced a file after it was resolved", async () => {
    const file = await workspace.resolve("sub/new.txt");
    assert.ok(file.ok);
    await symlink(outside.root, path.join(folder.root, "sub"));
    const text = await workspace.read(file.value, never);
    assert.equal(text.ok ? "" : text.error.code, "leads-outside");
    assert.equal((await workspace.writable(file.value))?.code, "leads-outside");
  });

  it("gives two names of one file the same URI", async () => {
    await symlink("app.ts", path.join(folder.root, "src/alias.ts"));
    const [a, b] = [await workspace.resolve("src/app.ts"), await workspace.resolve("src/alias.ts")];
    assert.ok(a.ok && b.ok);
    assert.equal(a.value.uri, b.value.uri);
  });

  it("distinguishes missing files, folders, binary files, other encodings, pipes and too large files", async () => {
    await folder.write("image.png", new Uint8Array([0x89, 0x50, 0, 1]));
    await folder.write("latin1.txt", new Uint8Array([0x61, 0xe4, 0x0a]));
    await folder.write("large.txt", "x".repeat(MAX_FILE_BYTES + 1));
    await folder.write("limit.txt", "x".repeat(MAX_FILE_BYTES));
    execFileSync("mkfifo", [path.join(folder.root, "pipe")]);
    assert.equal(await read("nowhere.ts"), "not-found");
    assert.equal(await read("src/app.ts/below"), "parent-is-file");
    assert.equal(await read("src"), "is-directory");
    assert.equal(await read("image.png"), "binary");
    assert.equal(await read("latin1.txt"), "binary");
    assert.equal(await read("pipe"), "not-regular");
    assert.equal(await read("a\0b"), "nul-in-path");
    assert.equal(await read("x".repeat(5000)), "path-too-long");
    assert.equal(await read("large.txt"), "too-large");
    assert.equal((await read("limit.txt")).length, MAX_FILE_BYTES);
    const large = await workspace.resolve("large.txt");
    assert.ok(large.ok);
    const answer = await workspace.read(large.value, never);
    assert.deepEqual(answer.ok || answer.error, {
      code: "too-large",
      path: "large.txt",
      bytes: MAX_FILE_BYTES + 1,
    });
  });

  it("says why a file cannot be written", async () => {
    await chmod(await folder.write("locked.ts", "1"), 0o444);
    const codeOf = async (name: string) => {
      const file = await workspace.resolve(name);
      return file.ok ? ((await workspace.writable(file.value))?.code ?? null) : file.error.code;
    };
    assert.equal(await codeOf("src/app.ts"), null);
    assert.equal(await codeOf("src/deep/er/new.ts"), null);
    assert.equal(await codeOf("locked.ts"), "read-only");
    assert.equal(await codeOf("src"), "is-directory");
    assert.equal(await codeOf("README.md/x"), "parent-is-file");
  });

  it("lists a folder, directories first", async () => {
    await symlink("src", path.join(folder.root, "also"));
    const entries = await workspace.list(".", never);
    assert.deepEqual(entries.ok && entries.value, [
      { name: "src", kind: "directory" },
      { name: "README.md", kind: "file" },
      { name: "also", kind: "symlink" },
    ]);
    const errors = await Promise.all(
      ["nowhere", "README.md", ".."].map((name) => workspace.list(name, never)),
    );
    assert.deepEqual(
      errors.map((answer) => (answer.ok ? null : answer.error.code)),
      ["not-found", "is-file", "outside-workspace"],
    );
  });

  it("searches text files in order, except ignored, binary and linked ones", async () => {
    await folder.write(".gitignore", "*.log\n/dist/\n");
    await folder.write("sub/.gitignore", "!keep.log\nlocal.txt\n");
    for (const name of [
      "b.txt",
      "a.txt",
      "x.log",
      "sub/keep.log",
      "sub/local.txt",
      "dist/out.js",
      "node_modules/m/i.js",
      ".git/config",
    ]) {
      await folder.write(name, "one\r\na needle\r\n");
    }
    await folder.write("image.bin", "needle\0");
    await symlink(outside.root, path.join(folder.root, "linked"));
    assert.deepEqual(await search({}), ["a.txt:2", "b.txt:2", "sub/keep.log:2"]);
    assert.deepEqual(await search({ pattern: "NEEDLE", caseSensitive: false, include: "sub/**" }), [
      "sub/keep.log:2",
    ]);
    assert.deepEqual(
      await search({ pattern: "^a n..dle$", isRegExp: true, include: "*.{txt,md}" }),
      ["a.txt:2", "b.txt:2"],
    );
    assert.deepEqual(await search({ limit: 1 }), ["a.txt:2"]);
  });

  for (const [pattern, matches, unsearched] of ENCODED_SEARCHES)
    it(`names the files whose encoding a search does not know: ${pattern}`, async () => {
      for (const [name, text] of Object.entries(OTHER_ENCODINGS)) await folder.write(name, text);
      const query = { pattern, isRegExp: false, caseSensitive: true, include: null, limit: 9 };
      const found = await searchFiles(folder.root, query, never);
      assert.ok(found.ok);
      const left = (found.value.unsearched ?? []).map(({ path }) => path);
      assert.deepEqual([found.value.matches.map(({ path }) => path), left], [matches, unsearched]);
    });

  it("ignores the same files as git", async () => {
    await folder.write(".gitignore", "build/\n*.tmp\n!important.tmp\n/only-root\ndocs/**/gen\n");
    await folder.write("pkg/.gitignore", "*.ts\n!types.ts\n");
    const names = [
      "build/a",
      "a.tmp",
      "important.tmp",
      "only-root",
      "pkg/only-root",
      "docs/a/b/gen",
      "pkg/x.ts",
      "pkg/types.ts",
      "pkg/build/y",
    ];
    for (const name of names) await folder.write(name, "needle\n");
    execFileSync("git", ["init", "-q"], { cwd: folder.root });
    const tracked = execFileSync("git", ["ls-files", "-o", "--exclude-standard"], {
      cwd: folder.root,
      encoding: "utf8",
    });
    const expected = names.filter((name) => tracked.split("\n").includes(name)).sort();
    assert.deepEqual(
      await search({}),
      expected.map((name) => `${name}:1`),
    );
  });

  it("searches for any regular expression in a time that grows with the text alone, or refuses it", async () => {
    await folder.write("evil.txt", `${"a".repeat(5_000)}b\n`);
    assert.deepEqual(await search({ pattern: "(a+)+$", isRegExp: true, include: "evil.txt" }), []);
    assert.deepEqual(await search({ pattern: "(?!x)a*a*a*a*a*a*c", isRegExp: true }), [
      "invalid-pattern",
    ]);
    assert.deepEqual(await search({ pattern: "(a{1000}){1000}", isRegExp: true }), [
      "complex-pattern",
    ]);
    assert.deepEqual(await search({ pattern: "(", isRegExp: true }), ["invalid-pattern"]);
    assert.deepEqual(await search({ pattern: "" }), ["empty-pattern"]);
  });

  it("cancels a search", async () => {
    const cancelled = await workspace.search(
      { pattern: "a", isRegExp: false, caseSensitive: true, include: null, limit: 10 },
      AbortSignal.abort(),
    );
    assert.equal(cancelled.ok || cancelled.error.code, "cancelled");
  });

  it("needs a folder as its root", async () => {
    await assert.rejects(createNodeWorkspace(path.join(folder.root, "README.md")));
    await assert.rejects(createNodeWorkspace(path.join(folder.root, "nowhere")));
    await mkdir(path.join(folder.root, "empty"));
    assert.deepEqual((await createNodeWorkspace(path.join(folder.root, "empty"))).folders, [
      "empty",
    ]);
  });
});
