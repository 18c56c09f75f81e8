import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { mountPoints } from "../../../../src/node/files/mountPoints.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { needsShadows, shadowsOn } from "../shadow/shadowWorkspace.ts";

describe("what is mounted inside a workspace", () => {
  let folder: TempFolder;
  let point: string;

  before(async function () {
    await needsShadows(this, "overlay");
    folder = await tempFolder();
    point = path.join(folder.root, "node modules");
    fs.mkdirSync(point);
    if (spawnSync("mount", ["-t", "tmpfs", "tmpfs", point]).status === 0) return;
    console.log("      this user may not mount");
    this.skip();
  });
  after(async () => {
    if (point) spawnSync("umount", [point]);
    await folder?.remove();
  });

  it("is found, also with blanks in its path, and only below the folder", async () => {
    assert.deepEqual(await mountPoints([folder.root]), [point]);
    assert.deepEqual(await mountPoints([point]), []);
  });

  it("is shown to commands in a copy, since an overlay would show an empty folder", async () => {
    const shadows = await shadowsOn(null, [folder.root]);
    const { backend, noOverlay } = await shadows.backend();
    assert.deepEqual([backend, noOverlay], ["copy", { code: "mount-inside", detail: point }]);
    await shadows.dispose();
  });
});
