import assert from "node:assert/strict";
import { chmod } from "node:fs/promises";
import * as path from "node:path";
import { programOnPath } from "../../../../src/node/processes/programOnPath.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";

describe("a program on the PATH", () => {
  it("is never found in a relative folder, so that a workspace cannot supply its own git", async function () {
    if (process.platform === "win32") return this.skip();
    const folder = await tempFolder({ "bin/git": "#!/bin/sh\n", "bin/notes": "" });
    const before = process.env.PATH;
    await chmod(path.join(folder.root, "bin/git"), 0o755);
    try {
      process.env.PATH = `${path.relative(process.cwd(), path.join(folder.root, "bin"))}:`;
      assert.equal(await programOnPath("git"), null);
      process.env.PATH = path.join(folder.root, "bin");
      assert.equal(await programOnPath("git"), path.join(folder.root, "bin/git"));
      assert.equal(await programOnPath("nothing"), null);
    } finally {
      process.env.PATH = before;
      await folder.remove();
    }
  });
});
