import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import * as path from "node:path";
import { mock } from "node:test";
import { endGroup } from "../../../../src/node/processes/endProcesses.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../../tools/processes.ts";

describe("ending what a process has started", () => {
  it("ends all descendants, even stubborn ones", async () => {
    const folder = await tempFolder();
    const script = `bash -c 'echo $$ > outer; bash -c "trap \\"\\" TERM; echo \\$\\$ > inner; exec sleep 3600" & wait' & wait`;
    const shell = spawn("bash", ["-c", script], {
      cwd: folder.root,
      stdio: "ignore",
      detached: true,
    });
    try {
      const pids = [
        await fileWithText(path.join(folder.root, "outer")),
        await fileWithText(path.join(folder.root, "inner")),
      ].map(Number);
      assert.ok(shell.pid !== undefined);
      await endGroup(shell.pid);
      for (const pid of pids) await processGone(pid);
    } finally {
      shell.kill("SIGKILL");
      await folder.remove();
    }
  });

  it("lets the leader end by itself, and ends its stubborn children meanwhile, though the clock jumps", async () => {
    const folder = await tempFolder();
    // The leader has cleaned up only once its child was ended by force.
    const script = `trap ':' TERM; bash -c 'trap "" TERM; echo $$ > inner; exec sleep 3600' & wait; wait; echo done > cleaned`;
    const shell = spawn("bash", ["-c", script], {
      cwd: folder.root,
      stdio: "ignore",
      detached: true,
    });
    try {
      const pid = Number(await fileWithText(path.join(folder.root, "inner")));
      assert.ok(shell.pid !== undefined);
      // As after the machine has slept.
      let hours = 0;
      mock.method(Date, "now", () => ++hours * 3_600_000);
      await endGroup(shell.pid, 60_000);
      await processGone(pid);
      assert.equal(await fileWithText(path.join(folder.root, "cleaned")), "done");
    } finally {
      mock.restoreAll();
      shell.kill("SIGKILL");
      await folder.remove();
    }
  });

  it("finds what left the group on a machine too busy to start a program", async function () {
    if (process.platform !== "linux") this.skip();
    const folder = await tempFolder();
    await writeFile(path.join(folder.root, "ps"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    const script = `setsid bash -c 'trap "" TERM; echo $$ > session; exec sleep 3600' & wait`;
    const shell = spawn("bash", ["-c", script], {
      cwd: folder.root,
      stdio: "ignore",
      detached: true,
    });
    const { PATH } = process.env;
    process.env.PATH = `${folder.root}:${PATH}`;
    try {
      const pid = Number(await fileWithText(path.join(folder.root, "session")));
      assert.ok(shell.pid !== undefined);
      await endGroup(shell.pid);
      await processGone(pid);
    } finally {
      process.env.PATH = PATH;
      shell.kill("SIGKILL");
      await folder.remove();
    }
  });

  it("ignores a process that has ended", async () => {
    const child = spawn("true", { detached: true });
    await once(child, "exit");
    assert.ok(child.pid !== undefined);
    await endGroup(child.pid);
  });
});
