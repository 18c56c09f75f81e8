import assert from "node:assert/strict";
import { chmod, realpath, symlink } from "node:fs/promises";
import * as path from "node:path";
import { nodeDisk } from "../../../../src/node/files/nodeDisk.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

describe("the node disk", () => {
  const disk = nodeDisk;
  let folder: TempFolder;
  const at = (name: string) => path.join(folder.root, name);

  before(async () => {
    folder = await tempFolder({ "a.ts": "a", "src/b.ts": "b" });
    await symlink("src", at("alias"));
    await symlink("gone", at("dangling"));
    await symlink("circle", at("circle"));
  });

  after(() => folder.remove());

  it("resolves links along the whole path", async () => {
    assert.equal(
      await disk.realPath(at("alias/b.ts")),
      path.join(await realpath(folder.root), "src", "b.ts"),
    );
  });

  it("returns null for a missing file", async () => {
    assert.equal(await disk.realPath(at("new.ts")), null);
    assert.equal(await disk.realPath(at("a.ts/new.ts")), null);
  });

  it("rejects dangling and circular links", async () => {
    await assert.rejects(disk.realPath(at("dangling")));
    await assert.rejects(disk.realPath(at("circle")));
  });

  it("sees a read-only file even as the superuser", async () => {
    assert.equal(await disk.isReadOnly(at("a.ts")), false);
    await chmod(at("a.ts"), 0o444);
    assert.equal(await disk.isReadOnly(at("a.ts")), true);
    assert.equal(await disk.isReadOnly(at("new.ts")), false);
  });
});
