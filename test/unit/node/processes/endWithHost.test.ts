import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { bundledScript } from "../../../fakes/bundledScript.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../../tools/processes.ts";

const ON = "exec sleep 3600";

describe("a command whose host is gone", () => {
  let folder: TempFolder;
  before(function () {
    if (process.platform === "win32") this.skip();
  });
  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder.remove());

  const hostOf = async (command: string) => {
    const script = bundledScript(path.join(import.meta.dirname, "shellHost.ts"));
    const host = spawn(process.execPath, [script, folder.root, command], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    assert.equal(`${(await once(host.stdout, "data"))[0]}`, "started\n");
    return host;
  };
  const pidIn = async (name: string) => Number(await fileWithText(path.join(folder.root, name)));

  for (const signal of ["SIGKILL", "SIGTERM"] as const)
    it(`ends with all that it started, stubborn ones and other sessions, too: ${signal}`, async () => {
      const stubborn = `trap "" TERM; echo $$ > stubborn; ${ON}`;
      const away = `echo $$ > away; ${ON}`;
      const setsid = process.platform === "linux" ? "setsid" : "";
      const host = await hostOf(
        `bash -c '${stubborn}' & ${setsid} bash -c '${away}' & echo $$ > shell; ${ON}`,
      );
      const pids = [await pidIn("stubborn"), await pidIn("away"), await pidIn("shell")];
      const gone = once(host, "exit");
      host.kill(signal);
      await gone;
      for (const pid of pids) await processGone(pid);
    });

  it("is another one where it has ended before, and what it left as a daemon stays", async function () {
    if (process.platform !== "linux") this.skip();
    const away = `echo $$ > away; ${ON}`;
    const host = await hostOf(
      `(setsid bash -c '${away}' >/dev/null 2>&1 &); until [ -s away ]; do sleep 0.05; done; echo $$ > shell`,
    );
    const [shell, daemon] = [await pidIn("shell"), await pidIn("away")];
    await processGone(shell);
    const gone = once(host, "exit");
    host.kill("SIGKILL");
    await gone;
    // It still runs.
    process.kill(daemon, 0);
    process.kill(daemon, "SIGKILL");
  });
});
