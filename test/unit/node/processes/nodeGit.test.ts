import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { programOnPath } from "../../../../src/node/processes/programOnPath.ts";
import { gitReads } from "../../../fakes/gitReads.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { toolHarness } from "../../tools/toolHarness.ts";

describe("git of a repository that is neither in the workspace nor around it", () => {
  let folder: TempFolder;
  let at: (name: string) => string;
  before(async () => {
    folder = await tempFolder({ "work/a.txt": "a\n", "beside/sub/b.txt": "b\n" });
    at = (name) => path.join(folder.root, name);
    const git = await gitRepository(at("beside"), "-A");
    await folder.write("beside/sub/b.txt", "changed\n");
    await git("add", "-A");
  });
  after(() => folder.remove());

  const rows = [
    ["is read where the user has opened it", true, "beside", "ok"],
    ["is not read from a folder of it", true, "beside/sub", "repository-not-open"],
    ["is not read where it is not open", false, "beside", "repository-not-open"],
  ] as const;
  for (const [name, isOpen, start, expected] of rows)
    it(name, async () => {
      const git = createNodeGit(async () => ({
        folders: [at("work")],
        opened: isOpen ? [at("beside")] : [],
      }));
      const asked = { path: ".", uri: pathToFileURL(at(start)).toString() };
      const ran = await git.run(
        { folder: asked, args: ["diff", "--cached"] },
        new AbortController().signal,
      );
      assert.equal(ran.ok ? "ok" : ran.error.code, expected);
      assert.equal(ran.ok && ran.value.stdout.includes("+changed"), expected === "ok");
    });
});

describe("a call of a git tool", () => {
  it("asks whose the repository is once, and the next call again", async function () {
    if (process.platform === "win32") this.skip();
    const folder = await tempFolder({ "work/a.txt": "a\n" });
    const work = path.join(folder.root, "work");
    const asked = path.join(folder.root, "asked");
    const before = process.env.PATH;
    try {
      await gitRepository(work, "-A");
      await folder.write("work/a.txt", "b\n");
      const script = `#!/bin/sh\necho "$*" >> ${asked}\nexec ${await programOnPath("git")} "$@"\n`;
      await chmod(await folder.write("bin/git", script), 0o755);
      process.env.PATH = `${path.join(folder.root, "bin")}${path.delimiter}${before}`;
      const git = createNodeGit(async () => ({ folders: [work], opened: null }));
      const tools = toolHarness(gitReads({ git, workspace: await createNodeWorkspace(work) }));
      for (const times of [1, 2]) {
        assert.match(await tools.call("git_diff", { revision: "HEAD" }), /^\+b$/m);
        const lines = (await readFile(asked, "utf8")).split("\n");
        for (const question of ["rev-parse --show-toplevel", "config --list"])
          assert.equal(lines.filter((line) => line.includes(question)).length, times, question);
      }
    } finally {
      process.env.PATH = before;
      await folder.remove();
    }
  });
});
