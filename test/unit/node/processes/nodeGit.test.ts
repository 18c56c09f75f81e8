import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

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
