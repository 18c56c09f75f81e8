import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
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

  /** What a call is told, and the files that it is for. */
  async function call(name: string, args: object) {
    const files = await createNodeWorkspaceFiles(folder.root);
    await open([{ toolCalls: [{ name, args }] }, { text: "ok" }], { files });
    await chat.send("Go");
    const [made] = lastAnswer().toolCalls.values();
    return { output: made?.output ?? "", status: made?.status, views: made?.views ?? [] };
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
  ] as const)
    it(`means the only file that it can mean: ${JSON.stringify(written)}`, async () => {
      const { output, views } = await call("read_file", { file_path: written });
      assert.deepEqual(
        views.map((view) => view.path),
        [path],
      );
      assert.ok(output.includes(JSON.stringify(written)), "the model is not told");
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
    ["that is too large is named", Buffer.alloc(6_000_000, "x\n"), /odd\.txt \(too large\)/],
  ] as const)
    it(`a file ${what} by a search`, async () => {
      await writeFile(`${folder.root}/odd.txt`, bytes);
      assert.match((await call("search_in_files", { pattern: "needle" })).output, expected);
    });
});
