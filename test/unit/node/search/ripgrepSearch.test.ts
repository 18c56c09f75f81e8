import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { symlink } from "node:fs/promises";
import * as path from "node:path";
import { searchFiles } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { listWithRipgrep } from "../../../../src/node/files/ripgrepFiles.ts";
import { findRipgrep, searchWithRipgrep } from "../../../../src/node/files/ripgrepSearch.ts";
import type { TextSearch } from "../../../../src/ports/workspace.ts";
import { ENCODED_SEARCHES, OTHER_ENCODINGS } from "../../../fakes/workspace/otherEncodings.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { cacheDir } from "../../../harness/root.mjs";

/**
 * The application folder of the VS Code that the other tests run in, which brings a ripgrep along.
 */
function appRoot(): string | null {
  try {
    const server = readdirSync(cacheDir).find((name) => name.startsWith("code-server-"));
    return server ? path.join(cacheDir, server, "node_modules/code-server/lib/vscode") : null;
  } catch {
    return null;
  }
}

describe("the search with ripgrep", () => {
  const never = new AbortController().signal;
  let rg: string;
  let folder: TempFolder;

  before(async function () {
    const found = await findRipgrep(appRoot());
    if (found === null) {
      console.log("    skipped: there is no ripgrep on this machine");
      this.skip();
    }
    rg = found;
    folder = await tempFolder({
      ".gitignore": "out/\n*.log\n!kept.log\n/top.txt\n",
      ".git/config": "needle\n",
      ".hidden/a.ts": "needle\n",
      "node_modules/x/index.js": "needle\n",
      "out/built.js": "needle\n",
      "debug.log": "needle\n",
      "kept.log": "needle\n",
      "top.txt": "needle\n",
      "src/top.txt": "a\r\nNeedle (x) $1\r\n",
      "src/deep/.ignore": "skipped.ts\n",
      "src/deep/skipped.ts": "needle\n",
      "src/deep/one.ts": `${"x".repeat(600)} needle\n`,
      "src/Größe 概要.ts": "ein needle: 概要\n",
      "lib/src/two.js": "needle needle\n",
      "data.bin": new Uint8Array([0, 1, 110, 101, 101, 100, 108, 101]),
    });
    await symlink(path.join(folder.root, "out"), path.join(folder.root, "linked"));
  });
  after(() => folder?.remove());

  for (const glob of [null, "*.ts", "src/**/*.ts", "src", "top.txt", "*.{js,log}", "no*thing"])
    it(`lists the files that Graft's own walk lists: ${glob}`, async () => {
      const find = async (program: string | null) => {
        const files = await createNodeWorkspaceFiles(folder.root, program);
        return files.find({ folder: "", glob, limit: 7 }, never);
      };
      assert.deepEqual(await find(rg), await find(null));
    });

  it("lists by .gitignore files alone, and through links, where it is told to", async () => {
    const query = { glob: null, excludes: ["**/*.bin"], allIgnoreFiles: false, followLinks: true };
    const listed = (await listWithRipgrep(rg, folder.root, query, never)) ?? [];
    for (const [path, isListed] of [
      ["src/deep/skipped.ts", true],
      ["linked/built.js", true],
      ["data.bin", false],
      ["out/built.js", false],
    ] as const)
      assert.equal(listed.includes(path), isListed, path);
    assert.equal(await listWithRipgrep(`${rg}-gone`, folder.root, query, never), null);
  });

  const query = (more: Partial<TextSearch>): TextSearch => ({
    ...{ pattern: "needle", isRegExp: false, caseSensitive: false, include: null, limit: 100 },
    ...more,
  });

  for (const [what, more] of [
    ["every file", {}],
    ["case", { caseSensitive: true }],
    ["text that looks like an expression", { pattern: "(x) $1" }],
    ["text that looks like an option", { pattern: "--files" }],
    ["an expression", { pattern: "^needle\\s+n\\w+e$", isRegExp: true }],
    ["the end of a line before CRLF", { pattern: "\\$1$", isRegExp: true }],
    ["unicode", { pattern: "概要" }],
    ["a glob at any depth", { include: "*.ts" }],
    ["a glob from the root", { include: "src/**/*.ts" }],
    ["a folder", { include: "src" }],
    ["a folder by its path", { include: "./lib/src/" }],
    ["alternatives", { include: "*.{js,log}" }],
    ["nothing", { pattern: "no such text" }],
  ] as const) {
    it(`finds the same as the plain search: ${what}`, async () => {
      const expected = await searchFiles(folder.root, query(more), never);
      assert.ok(expected.ok);
      const found = await searchWithRipgrep(rg, folder.root, query(more), [], never);
      assert.ok(found?.ok);
      const inOrder = (matches: readonly { readonly path: string; readonly line: number }[]) =>
        [...matches].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
      assert.deepEqual(inOrder(found.value.matches), inOrder(expected.value.matches));
    });
  }

  for (const [what, name, bytes, pattern, expected] of [
    [
      "a word on a line of Latin-1",
      "l.txt",
      Buffer.from("caf\xe9 odd\n", "latin1"),
      "odd",
      "café odd",
    ],
    ["a word in Latin-1", "l.txt", Buffer.from("caf\xe9 odd\n", "latin1"), "CAFÉ", "café odd"],
    [
      "quotes and a sign of Windows-1252",
      "w.txt",
      Buffer.from("\x93odd\x94 \x80\n", "latin1"),
      "“odd” €",
      "“odd” €",
    ],
    ["a word in UTF-16", "u.txt", Buffer.from("\uFEFFcafé odd\n", "utf16le"), "café", "café odd"],
    [
      "a word in a large file",
      "big.txt",
      Buffer.from(`odd\n${"x\n".repeat(3_000_000)}`),
      "odd",
      "odd",
    ],
    ["no word in a file without text", "n.txt", Buffer.from("odd\n", "utf16le"), "odd", null],
  ] as const)
    it(`finds ${what}, or names the file`, async () => {
      const odd = await tempFolder({ [name]: bytes, "other.txt": "Ã©\n" });
      try {
        const found = await searchWithRipgrep(rg, odd.root, query({ pattern }), [], never);
        assert.ok(found?.ok);
        assert.deepEqual(
          found.value.matches.map(({ text }) => text),
          expected === null ? [] : [expected],
        );
        const left = expected === null ? [{ path: name, why: "binary" }] : undefined;
        assert.deepEqual(found.value.unsearched, left);
        const plain = await searchFiles(odd.root, query({ pattern }), never);
        if (Buffer.byteLength(bytes) < 1_000_000)
          assert.deepEqual(plain.ok && plain.value.matches, found.value.matches);
      } finally {
        await odd.remove();
      }
    });

  it("names the files whose encoding it does not know, also beside matches", async () => {
    const odd = await tempFolder(OTHER_ENCODINGS);
    try {
      for (const [pattern, matches, unsearched] of ENCODED_SEARCHES)
        for (const found of [
          await searchWithRipgrep(rg, odd.root, query({ pattern }), [], never),
          await searchFiles(odd.root, query({ pattern }), never),
        ]) {
          assert.ok(found?.ok);
          const paths = found.value.matches.map((match) => match.path);
          const left = (found.value.unsearched ?? []).map(({ path }) => path);
          assert.deepEqual([paths, left], [matches, unsearched], pattern);
        }
    } finally {
      await odd.remove();
    }
  });

  for (const [pattern, reason] of [
    ["needle(?=:)", /look-around/],
    ["(?!x)a*a*a*a*a*a*b", /look-around/],
    ["(a)\\1", /backreferences/],
    ["a(", /unclosed group/],
    ["a{100000}{1000}", /size limit/],
  ] as const) {
    it(`refuses what ripgrep refuses, with its reason: ${pattern}`, async () => {
      const found = await searchWithRipgrep(
        rg,
        folder.root,
        query({ pattern, isRegExp: true }),
        [],
        never,
      );
      assert.ok(found && !found.ok);
      assert.equal(found.error.code, "invalid-pattern");
      assert.match(found.error.detail ?? "", reason);
    });
  }

  it("stops at the limit, skips excluded files, and can be cancelled", async () => {
    const some = await searchWithRipgrep(rg, folder.root, query({ limit: 2 }), [], never);
    assert.ok(some?.ok);
    assert.equal(some.value.matches.length, 2);
    assert.equal(some.value.truncated, true);
    const without = await searchWithRipgrep(rg, folder.root, query({}), ["**/lib"], never);
    assert.ok(
      without?.ok && without.value.matches.every((match) => !match.path.startsWith("lib/")),
    );
    const stopped = await searchWithRipgrep(rg, folder.root, query({}), [], AbortSignal.abort());
    assert.ok(stopped && !stopped.ok);
  });

  it("returns null when ripgrep cannot start", async () => {
    assert.equal(
      await searchWithRipgrep(path.join(folder.root, "gone"), folder.root, query({}), [], never),
      null,
    );
  });
});
