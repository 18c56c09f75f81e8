import assert from "node:assert/strict";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import { needsShadows, type ShadowWorkspace, shadowWorkspace } from "./shadowWorkspace.ts";

for (const backend of ["overlay", "copy"] as const) {
  describe(`a check of what is proposed: ${backend}`, () => {
    let workspace: ShadowWorkspace;
    let machine: ProcessTools;

    before(async function () {
      await needsShadows(this, backend);
    });
    beforeEach(async () => {
      workspace = await shadowWorkspace({ "a.txt": "one\n", ".gitignore": "out/\n" }, backend);
      machine = processTools({
        workspace: await createNodeWorkspace(workspace.root),
        shell: createNodeShell(),
        git: createNodeGit(async () => ({ folders: [workspace.root], opened: null })),
        shadows: workspace.shadows,
      });
    });
    afterEach(async () => {
      await machine?.dispose();
      await workspace?.remove();
    });

    async function check(command: string, text: string) {
      let output = "";
      const outcome = await machine.check(
        {
          chatId: "chat",
          files: [workspace.proposed("a.txt", text)],
          line: { text: command, folder: "." },
          isSandboxed: false,
          onOutput: (more) => {
            output += more;
          },
        },
        new AbortController().signal,
      );
      return { outcome, output };
    }

    it("passes or fails by its exit code, and sees the proposed text", async () => {
      const passed = await check("cat a.txt; grep -q TWO a.txt", "TWO\n");
      assert.deepEqual([passed.outcome.code, passed.output], ["passed", "TWO\n"]);
      assert.equal((await check("grep -q one a.txt", "TWO\n")).outcome.code, "failed");
    });

    it("changes nothing: not the user's files, and nothing is proposed of it", async () => {
      const before = workspace.snapshot();
      await check(
        "echo x > new.txt; echo y >> a.txt; rm -f .git/index; mkdir out; echo z > out/log",
        "TWO\n",
      );
      assert.deepEqual(workspace.snapshot(), before);
      const after = await workspace.run(
        [workspace.proposed("a.txt", "TWO\n")],
        "cat a.txt; ls -A; cat out/log",
      );
      assert.deepEqual(workspace.textsOf(after), {});
      assert.equal(after.output, "TWO\n.git\n.gitignore\na.txt\nout\nz\n");
    });

    it("is ended when it is stopped, with its processes", async () => {
      const stopping = new AbortController();
      const line = { text: "echo started; sleep 600", folder: "." };
      const files = [workspace.proposed("a.txt", "TWO\n")];
      const ended = await new Promise<string>((resolve, reject) => {
        const onOutput = () =>
          void machine.runsOnProposals("chat").then((runs) => {
            assert.equal(runs, true);
            stopping.abort();
          }, reject);
        machine
          .check({ chatId: "chat", files, line, isSandboxed: false, onOutput }, stopping.signal)
          .then(({ code }) => resolve(code), reject);
      });
      assert.equal(ended, "stopped");
      assert.equal(await machine.runsOnProposals("chat"), false);
    });

    it("says what keeps it from running", async () => {
      const missing = await machine.check(
        {
          ...{ chatId: "chat", files: [], line: { text: "true", folder: "../.." } },
          isSandboxed: false,
          onOutput() {},
        },
        new AbortController().signal,
      );
      assert.equal(missing.code, "no-folder");
    });
  });
}
