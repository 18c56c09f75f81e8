import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openCommandRecord } from "../../../../src/host/terminal/commandRecord.ts";
import { createNodeSmallFiles } from "../../../../src/node/storage/nodeEventLog.ts";
import { processIdentity } from "../../../../src/node/storage/processIdentity.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

describe("commands that another host of the workspace runs", () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder.remove());

  const WATCH = { command: "npm run watch", startedAt: 1, pid: 12 };

  it("are named while they run, and no longer", async () => {
    const files = createNodeSmallFiles(folder.root);
    const [first, second] = [processIdentity(), processIdentity()].map((identity) =>
      openCommandRecord(files, identity),
    );
    assert.ok(first && second);
    await first.keep([WATCH]);
    assert.deepEqual(await second.others(), [WATCH]);
    assert.deepEqual(await first.others(), []);
    await first.keep([]);
    assert.deepEqual(await second.others(), []);
  });

  it("are over where their host is, and where a record is damaged", async () => {
    const files = createNodeSmallFiles(folder.root);
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    const own = processIdentity();
    const gone = { ...own, name: own.name.replace(/ \d+ /, ` ${child.pid} `) };
    await openCommandRecord(files, gone).keep([WATCH]);
    await folder.write("commands-0", "{");
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.deepEqual(await openCommandRecord(files, own).others(), []);
    assert.deepEqual(await files.list(), []);
  });
});
