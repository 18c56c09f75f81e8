import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { chat, chatsIn, folder, lastAnswer, open } from "./chatHarness.ts";

const NFD = "docs/Cafe\u0301.md";

describe("A path as models write it", () => {
  chatsIn({
    "src/a.ts": "export const a = 1;\n",
    "src/deep/b.ts": "b\n",
    "src/my file.ts": "x\n",
    "app/[slug]/page.tsx": "slug\n",
    "app/s/page.tsx": "slug\n",
    "README.md": "hi\n",
    [NFD]: "cafe\n",
    ".gitignore": "built.js\n",
    "built.js": "needle\n",
  });

  /** What each call of one message is told, and the files that it is for. */
  async function calls(toolCalls: readonly { readonly name: string; readonly args: object }[]) {
    const files = await createNodeWorkspaceFiles(folder.root);
    await open([{ toolCalls }, { text: "ok" }], { files });
    await chat.send("Go");
    const made = [...lastAnswer().toolCalls.values()];
    return toolCalls.map((_, index) => {
      const { output, status, views = [] } = made[index] ?? assert.fail("a call has no result");
      return { output: output ?? "", status, views };
    });
  }

  /** The same of a message with one call. */
  async function call(name: string, args: object) {
    const [told] = await calls([{ name, args }]);
    return told ?? assert.fail();
  }

  for (const [written, path = "src/a.ts"] of [
    ["src\\a.ts"],
    ["src/a.ts\n"],
    ["`src/a.ts`"],
    ["'src/a.ts'"],
    ["[a](src/a.ts)"],
    ["src/a.ts:1-3"],
    ["src/a.ts#L1"],
    ["@/a.ts"],
    ["@/src/a.ts"],
    ["@src/a.ts"],
    ["a/src/a.ts"],
    ["/src/a.ts"],
    ["file:///src/a.ts"],
    ["SRC/A.ts"],
    ["src/a.ts."],
    ["src/\uFF41.ts"],
    ["src/my%20file.ts", "src/my file.ts"],
    ["docs/Caf\u00e9.md", NFD],
    ["src/a.ts L1-L3"],
    ["src/a.ts@1-3"],
    ["src/a.ts, lines 1 to 3"],
    ["src/a.ts[1-3]"],
    ["File: src/a.ts"],
    ["path=src/a.ts"],
    ["file:src/a.ts"],
    ["<file>src/a.ts</file>"],
    ["<file_path>\nsrc/a.ts\n</file_path>"],
    ["+++ b/src/a.ts"],
    ["--- a/src/a.ts"],
    ["C:\\src\\a.ts"],
    ["$PWD/src/a.ts"],
    ["src\u2215a.ts"],
  ] as const)
    it(`means the only file that it can mean: ${JSON.stringify(written)}`, async () => {
      const { output, views } = await call("read_file", { file_path: written });
      assert.deepEqual(
        views.map((view) => view.path),
        [path],
      );
      assert.ok(output.includes(JSON.stringify(written)), "the model is not told");
    });

  it("means the file by the workspace's own path, also without its first slash, or on a drive", async () => {
    for (const root of [folder.root.slice(1), `C:${folder.root}`, basename(folder.root)])
      assert.deepEqual(
        (await call("read_file", { file_path: `${root}/src/a.ts:1` })).views.map(
          ({ path }) => path,
        ),
        ["src/a.ts"],
        root,
      );
  });

  for (const [written, ...named] of [
    ["src/a.ts\nsrc/deep/b.ts", "src/a.ts", "src/deep/b.ts"],
    ["src/a.ts, src/deep/b.ts", "src/a.ts", "src/deep/b.ts"],
    ["`src/a.ts` and `src/deep/b.ts`", "src/a.ts", "src/deep/b.ts"],
    ["\u2026/src/a.ts", "src/a.ts"],
    [".../src/a.ts", "src/a.ts"],
    ["D:\\other\\src\\a.ts", "src/a.ts"],
    ["https://example.com/blob/main/src/a.ts", "src/a.ts"],
    ["diff --git a/src/a.ts b/src/a.ts", "src/a.ts"],
    ["Edit src/a.ts", "src/a.ts"],
    ["new file: src/a.ts", "src/a.ts"],
    ["<file>src/a.ts", "src/a.ts"],
    ["<!-- src/a.ts -->", "src/a.ts"],
    ['"src/a.ts" "src/deep/b.ts"', "src/a.ts", "src/deep/b.ts"],
    ["src/a.ts</file_path>", "src/a.ts"],
    ["src/a.ts (existing)", "src/a.ts"],
    ["src/a.ts::a", "src/a.ts"],
    ["src/a.ts#a", "src/a.ts"],
  ] as const)
    it(`is refused, and the file named, with other text around it: ${JSON.stringify(written)}`, async () => {
      const asked = [
        { name: "edit_mode", args: { file_path: written } },
        { name: "create_file", args: { file_path: written, content: "x", overwrite: true } },
        { name: "rename_file", args: { from: "README.md", to: written } },
        { name: "delete_file", args: { path: written } },
        { name: "read_file", args: { file_path: written } },
        { name: "search_in_files", args: { pattern: "a", path: written } },
        { name: "search_in_files", args: { pattern: "a", include: written } },
      ];
      for (const [index, { output, status }] of (await calls(asked)).entries()) {
        const tool = asked[index]?.name;
        assert.equal(status, "error", tool);
        for (const name of named) assert.ok(output.includes(name), `${tool}: ${output}`);
      }
    });

  for (const written of [
    ...["src/a?.ts", "src/**/b.ts", "src/\u2026/b.ts", "src/.../b.ts", "src/{a,c}.ts"],
    ...["src/a\tb.ts", 'src/"b".ts', "D:\\other\\b.ts", "https://example.com/b.ts"],
  ])
    it(`is no name of a new file: ${JSON.stringify(written)}`, async () => {
      const { output, status } = await call("edit_mode", { file_path: written });
      assert.equal(status, "error");
      assert.ok(output.includes("must not contain"), output);
    });

  for (const path of [
    ...[
      "docs/a b.md",
      "docs/new README.md",
      "Copy of README.md",
      "My App/src/a.ts",
      "src/a.ts.bak",
    ],
    ...["packages/new/src/a.ts", "@scope/pkg/src/a.ts", "packages/new/README.md", "src/a (1).ts"],
    ...["app/[slug]/new.tsx", "app/[...rest]/page.tsx", "app/(group)/src/a.ts", "src/$id.tsx"],
    ...["data/year=2024/my file.ts", "docs/Q: A.md", "it's/src/a.ts", "src/c++/x.h"],
  ])
    it(`is a new file's: ${path}`, async () => {
      await call("edit_mode", { file_path: path });
      const [started] = chat.events().filter((event) => event.type === "edit-session-start");
      assert.ok(started?.type === "edit-session-start");
      assert.deepEqual([started.path, started.exists], [path, false]);
    });

  for (const [written, path, exists] of [
    ["src/new.ts", "src/new.ts", false],
    ["src\\new.ts", "src/new.ts", false],
    ["`src/new.ts`\n", "src/new.ts", false],
    ["SRC/new.ts", "src/new.ts", false],
    ["lib/deep/new.ts", "lib/deep/new.ts", false],
    ["readme.MD", "README.md", true],
    ["docs/Caf\u00e9.md", NFD, true],
    ["a/src/new.ts", null, false],
    ["/src/new.ts", null, false],
    ["src/new.ts:1-3", null, false],
    ["src/new.ts L1-L3", null, false],
    ["+++ b/src/new.ts", null, false],
    ["C:\\src\\new.ts", null, false],
    ["File: src/new.ts", "src/new.ts", false],
  ] as const)
    it(`opens ${path ?? "nothing, and says what may be meant,"} for ${JSON.stringify(written)}`, async () => {
      const { output } = await call("edit_mode", { file_path: written });
      const started = chat
        .events()
        .flatMap((event) => (event.type === "edit-session-start" ? [event] : []));
      assert.deepEqual(
        started.map((event) => [event.path, event.exists]),
        path === null ? [] : [[path, exists]],
      );
      if (path === null) assert.ok(output.includes("may mean src/new.ts"));
    });

  for (const [name, args, expected] of [
    ["rename_file", { from: "src\\a.ts", to: "src/A.ts" }, /src\/A\.ts/],
    ["delete_file", { path: "docs/Caf\u00e9.md" }, /deleted/],
    ["create_file", { file_path: "Readme.md", content: "" }, /README\.md exists already/],
    ["list_directory", { path: "/src" }, /^my file\.ts$/m],
    ["read_multiple_files", { file_paths: ["src\\a.ts", "src/deep/b.ts:1"] }, /1\tb$/m],
    ["find_files", { glob: "app/[slug]/page.tsx" }, /^app\/\[slug\]\/page\.tsx$/],
    ["find_files", { glob: "app/[slug]" }, /^app\/\[slug\]\/page\.tsx$/],
    ["find_files", { glob: "**/[slug]/page.tsx" }, /^app\/\[slug\]\/page\.tsx$/m],
    ["find_files", { glob: "src\\**\\*.ts" }, /^src\/deep\/b\.ts$/m],
    ["find_files", { glob: "**/Caf\u00e9.md" }, /Cafe\u0301/],
    ["search_in_files", { pattern: "slug", include: "app/[slug]/*.tsx" }, /^app\/\[slug\].*$/],
    ["search_in_files", { pattern: "slug", path: "app/[slug]" }, /^app\/\[slug\].*$/],
    ["search_in_files", { pattern: "slug", path: "app/s", include: "*.tsx" }, /^app\/s\/.*$/],
    ["search_in_files", { pattern: "slug", path: "nowhere" }, /nowhere does not exist/],
    ["search_in_files", { pattern: "needle", include: "built.js" }, /built\.js \(ignored\)/],
  ] as const)
    it(`is understood by ${name}: ${JSON.stringify(args)}`, async () => {
      assert.match((await call(name, args)).output, expected);
    });

  for (const [what, bytes, expected] of [
    ["of Latin-1 is found", Buffer.from("caf\xe9 needle\n", "latin1"), /^odd\.txt:1\tcafé needle$/],
    ["of UTF-16 is found", Buffer.from("\uFEFFcaf\u00e9 needle\n", "utf16le"), /^odd\.txt:1\t/],
    ["without text is named", Buffer.from("needle\0\n"), /odd\.txt \(no text\)/],
    ["of UTF-32 is named", Buffer.from("fffe00006e000000", "hex"), /odd\.txt \(unknown encoding\)/],
    ["that is too large is named", Buffer.alloc(6_000_000, "x\n"), /odd\.txt \(too large\)/],
  ] as const)
    it(`a file ${what} by a search`, async () => {
      await writeFile(`${folder.root}/odd.txt`, bytes);
      assert.match((await call("search_in_files", { pattern: "needle" })).output, expected);
    });

  for (const [what, args, expected] of [
    ["finds the lines with its longest line", { pattern: "x\nexport const a" }, /^src\/a\.ts:1\t/],
    ["that is found in CRLF, too", { pattern: "x\r\nexport const a" }, /^src\/a\.ts:1\t/],
    ["says what was looked for", { pattern: "export const\n  b" }, /line by line.*"export const"/],
    ["says so without a match", { pattern: "nowhere\nb" }, /^No matches\. \[.*"nowhere"/],
    ["of nothing else is refused", { pattern: "\n \n" }, /line by line/],
    ["in an expression is refused", { pattern: "a\\n\\s*b", is_regexp: true }, /line by line/],
    ["as it is in an expression, too", { pattern: "a\nb", is_regexp: true }, /line by line/],
    ["in a set stays", { pattern: "const [^\\n]*;", is_regexp: true }, /^src\/a\.ts:1\t[^\n]*$/],
    ["is no escaped backslash", { pattern: "\\\\n", is_regexp: true }, /^No matches\.$/],
    [
      "that any character was to match",
      { pattern: "const[\\s\\S]*?b$", is_regexp: true },
      /line by line/,
    ],
  ] as const)
    it(`a line break in a search ${what}`, async () => {
      assert.match((await call("search_in_files", args)).output, expected);
    });
});
