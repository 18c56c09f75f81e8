import assert from "node:assert/strict";
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createFileApplier } from "../../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { FileSnapshot, Workspace } from "../../../../src/ports/workspace.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

describe("file applier", () => {
  let folder: TempFolder;
  let workspace: Workspace;

  beforeEach(async () => {
    folder = await tempFolder({ "run.sh": "\uFEFFecho 1\r\n" });
    workspace = await createNodeWorkspace(folder.root);
  });

  afterEach(() => folder.remove());

  async function snapshot(name: string): Promise<FileSnapshot> {
    const file = await workspace.resolve(name);
    assert.ok(file.ok);
    const read = await workspace.read(file.value, new AbortController().signal);
    return read.ok
      ? read.value
      : { file: file.value, exists: false, text: "", version: 0, languageId: "" };
  }

  const apply = (of: FileSnapshot, text: string) => createFileApplier(workspace)(of, text);

  it("replaces the text, keeps the mode and leaves no temporary file", async () => {
    const file = path.join(folder.root, "run.sh");
    await chmod(file, 0o755);
    assert.ok((await apply(await snapshot("run.sh"), "\uFEFFecho 2\r\n")).ok);
    assert.equal(await readFile(file, "utf8"), "\uFEFFecho 2\r\n");
    assert.equal((await stat(file)).mode & 0o777, 0o755);
    assert.deepEqual(await readdir(folder.root), ["run.sh"]);
  });

  it("writes through a link instead of replacing it", async () => {
    await symlink("run.sh", path.join(folder.root, "alias.sh"));
    assert.ok((await apply(await snapshot("alias.sh"), "new")).ok);
    assert.equal(await readFile(path.join(folder.root, "run.sh"), "utf8"), "new");
    assert.equal(await readFile(path.join(folder.root, "alias.sh"), "utf8"), "new");
  });

  it("creates a new file with its folders", async () => {
    assert.ok((await apply(await snapshot("a/b/new.ts"), "1\n")).ok);
    assert.equal(await readFile(path.join(folder.root, "a/b/new.ts"), "utf8"), "1\n");
  });

  it("refuses a file that changed, vanished or appeared since the snapshot", async () => {
    const file = path.join(folder.root, "run.sh");
    const old = await snapshot("run.sh");
    await writeFile(file, "the user's\n");
    const changed = await apply(old, "mine");
    assert.equal(changed.ok || changed.error.code, "changed-meanwhile");
    assert.equal(await readFile(file, "utf8"), "the user's\n");
    await rm(file);
    const gone = await apply(old, "mine");
    assert.equal(gone.ok || gone.error.code, "deleted-meanwhile");
    const missing = await snapshot("run.sh");
    await writeFile(file, "");
    const appeared = await apply(missing, "mine");
    assert.equal(appeared.ok || appeared.error.code, "created-meanwhile");
    assert.equal(await readFile(file, "utf8"), "");
  });

  it("refuses a read-only file", async () => {
    await chmod(path.join(folder.root, "run.sh"), 0o444);
    const refused = await apply(await snapshot("run.sh"), "x");
    assert.equal(refused.ok || refused.error.code, "read-only");
  });
});
