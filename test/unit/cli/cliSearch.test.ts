import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import * as path from "node:path";
import { buildCli, type CliBundle } from "../../fakes/cliBundle.ts";
import { startModelServer } from "../../fakes/model/modelServer.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { fileWithText, processGone } from "../tools/processes.ts";

describe("a search on the command line", function () {
  this.timeout(60_000);
  let cli: CliBundle;
  let folder: TempFolder;

  before(async () => {
    cli = await buildCli();
    folder = await tempFolder();
  });
  after(async () => {
    await cli.remove();
    await folder.remove();
  });

  it("kills a stubborn ripgrep when interrupted", async () => {
    const pidFile = path.join(folder.root, "rg.pid");
    const script = `#!/bin/sh\ntrap "" TERM\necho $$ > ${JSON.stringify(pidFile)}\nfor i in 1 2 3 4 5 6 7 8 9; do sleep 1; done\n`;
    await chmod(await folder.write("bin/rg", script), 0o755);
    const server = await startModelServer([{ toolCalls: [{ name: "search_in_files", args: { pattern: "x" } }] }]);
    const env = { PATH: `${path.join(folder.root, "bin")}${path.delimiter}${process.env.PATH}` };
    const child = cli.start(["run", "--root", folder.root, "--base-url", server.url, "--model", "test", "Search"], env);
    try {
      const closed = once(child, "close");
      const pid = Number(await fileWithText(pidFile));
      child.kill("SIGINT");
      assert.deepEqual(await closed, [130, null]);
      await processGone(pid);
    } finally {
      child.kill("SIGKILL");
      await server.close();
    }
  });
});
