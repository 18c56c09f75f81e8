import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { endDescendants } from "../../../../src/node/processes/endProcesses.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../../tools/processes.ts";

describe("ending what a process has started", () => {
  it("ends all descendants, even stubborn ones, but not the process itself", async () => {
    const folder = await tempFolder();
    const script = `bash -c 'echo $$ > outer; bash -c "trap \\"\\" TERM; echo \\$\\$ > inner; while true; do sleep 0.05; done" & wait' & wait; echo over; read -r line`;
    const shell = spawn("bash", ["-c", script], { cwd: folder.root, stdio: ["pipe", "pipe", "ignore"] });
    try {
      const pids = [await fileWithText(path.join(folder.root, "outer")), await fileWithText(path.join(folder.root, "inner"))].map(Number);
      assert.ok(shell.pid !== undefined);
      await endDescendants(shell.pid);
      for (const pid of pids) await processGone(pid);
      const [said] = await once(shell.stdout, "data");
      assert.equal(String(said), "over\n");
      assert.equal(shell.exitCode, null);
    } finally {
      shell.kill("SIGKILL");
      await folder.remove();
    }
  });

  it("ignores a process that has ended", async () => {
    const child = spawn("true");
    await once(child, "exit");
    assert.ok(child.pid !== undefined);
    await endDescendants(child.pid);
  });
});
