import assert from "node:assert/strict";
import { chmod, symlink } from "node:fs/promises";
import * as path from "node:path";
import { journalFiles, type RecordedText } from "../../../../src/edits/history/journalFiles.ts";
import { restoration } from "../../../../src/edits/history/restoration.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import type { Workspace } from "../../../../src/ports/workspace.ts";
import type { WorkspaceFiles } from "../../../../src/ports/workspaceFiles.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

describe("files that tools create, move and delete", () => {
  let folder: TempFolder;
  let workspace: Workspace;
  let files: WorkspaceFiles;
  let recorded: RecordedText[];

  beforeEach(async () => {
    folder = await tempFolder({
      "a.txt": "a\n",
      "b.txt": "b\n",
      "lib/c.txt": "c\n",
      "lib/d.txt": "d\n",
      "data.bin": new Uint8Array([0, 1]),
    });
    workspace = await createNodeWorkspace(folder.root);
    recorded = [];
    files = journalFiles(await createNodeWorkspaceFiles(folder.root), workspace, (change) =>
      recorded.push(change),
    );
  });
  afterEach(() => folder.remove());

  const changes = () => recorded.map(({ path: name, before, after }) => [name, before, after]);

  /** What taking back everything on record would make of each file. */
  async function restored(): Promise<Record<string, string | null>> {
    const texts: Record<string, string | null> = {};
    for (const name of new Set(recorded.map((change) => change.path))) {
      const file = await workspace.resolve(name);
      assert.ok(file.ok);
      const read = await workspace.read(file.value, new AbortController().signal);
      const current = read.ok ? read.value.text : null;
      const result = restoration(
        recorded.filter((change) => change.path === name),
        current,
      );
      assert.notEqual(result.kind, "blocked");
      texts[name] = result.kind === "possible" ? result.text : current;
    }
    return texts;
  }

  it("are recorded with their texts, so that they can be restored", async () => {
    await files.createFile("new.txt", "new\n", false);
    await files.createFile("b.txt", "B\n", true);
    await files.delete("a.txt", false);
    assert.deepEqual(changes(), [
      ["new.txt", null, "new\n"],
      ["b.txt", "b\n", "B\n"],
      ["a.txt", "a\n", null],
    ]);
    assert.deepEqual(await restored(), { "new.txt": null, "b.txt": "b\n", "a.txt": "a\n" });
  });

  it("are recorded one by one when a folder is moved, copied or deleted", async () => {
    await files.copy("lib", "twin", false);
    await files.rename("lib", "moved/lib", false);
    await files.delete("twin", true);
    assert.deepEqual(changes().slice(0, 2), [
      ["twin/c.txt", null, "c\n"],
      ["twin/d.txt", null, "d\n"],
    ]);
    assert.deepEqual(await restored(), {
      ...{ "twin/c.txt": null, "twin/d.txt": null },
      ...{
        "lib/c.txt": "c\n",
        "moved/lib/c.txt": null,
        "lib/d.txt": "d\n",
        "moved/lib/d.txt": null,
      },
    });
  });

  it("are recorded as programs where they were, also below a folder", async function () {
    if (process.platform === "win32") this.skip();
    for (const name of ["a.txt", "lib/c.txt"]) await chmod(path.join(folder.root, name), 0o755);
    await files.rename("a.txt", "moved.txt", false);
    await files.delete("lib", true);
    await files.delete("b.txt", false);
    assert.deepEqual(
      recorded.map(({ path: name, executable }) => [name, executable]),
      [
        ["a.txt", true],
        ["moved.txt", undefined],
        ["lib/c.txt", true],
        ["lib/d.txt", undefined],
        ["b.txt", undefined],
      ],
    );
  });

  it("are recorded with what they replaced", async () => {
    await files.rename("a.txt", "b.txt", true);
    assert.deepEqual(await restored(), { "a.txt": "a\n", "b.txt": "b\n" });
  });

  it("are not recorded when nothing happened, or they are not text", async () => {
    await symlink("a.txt", path.join(folder.root, "link"));
    await files.createFile("b.txt", "", false);
    await files.delete("gone.txt", false);
    await files.delete("lib", false);
    await files.rename("a.txt", "b.txt", false);
    await files.copy("data.bin", "copy.bin", false);
    await files.delete("link", false);
    assert.deepEqual(changes(), []);
  });
});
