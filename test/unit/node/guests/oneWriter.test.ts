import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { ok } from "../../../../src/base/result.ts";
import { oneWriter } from "../../../../src/node/guests/oneWriter.ts";
import { processIdentity } from "../../../../src/node/storage/processIdentity.ts";
import { missingFile } from "../../../../src/ports/workspace.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const SNAPSHOT = missingFile({ path: "a.ts", uri: "file:///somewhere/a.ts" });

describe("one writer of Graft in a file at a time", () => {
  let home: TempFolder;
  const formerHome = process.env.HOME;

  beforeEach(async () => {
    home = await tempFolder();
    process.env.HOME = home.root;
  });
  afterEach(async () => {
    if (formerHome === undefined) delete process.env.HOME;
    else process.env.HOME = formerHome;
    await home.remove();
  });

  const locks = () => path.join(home.root, ".graft/writes");

  it("lets a second one in after the first, whichever came first", async () => {
    const seen: string[] = [];
    const write = oneWriter(async (_, text) => {
      seen.push(`${text} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${text} ends`);
      return ok(null);
    });
    await Promise.all([write(SNAPSHOT, "one"), write(SNAPSHOT, "two")]);
    const [first] = seen[0]?.split(" ") ?? [];
    const second = first === "one" ? "two" : "one";
    assert.deepEqual(seen, [
      `${first} begins`,
      `${first} ends`,
      `${second} begins`,
      `${second} ends`,
    ]);
    assert.deepEqual(await readdir(locks()), []);
  });

  it("takes what a process held that has ended", async () => {
    let name = "";
    await oneWriter(async () => {
      [name = ""] = await readdir(locks());
      return ok(null);
    })(SNAPSHOT, "");
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    const dead = processIdentity().name.replace(/ \d+ (\S+)$/, ` ${child.pid} $1`);
    await mkdir(locks(), { recursive: true });
    await writeFile(path.join(locks(), name), dead);
    let held = "";
    const written = await oneWriter(async () => {
      held = await readFile(path.join(locks(), name), "utf8");
      return ok(null);
    })(SNAPSHOT, "");
    assert.ok(written.ok);
    assert.equal(held, processIdentity().name);
    assert.deepEqual(await readdir(locks()), []);
  });

  it("passes on why nothing was written, and is free again", async () => {
    const failing = oneWriter(async () => ({
      ok: false,
      error: { code: "changed-meanwhile", path: "a.ts" },
    }));
    const written = await failing(SNAPSHOT, "");
    assert.deepEqual(written.ok ? null : written.error.code, "changed-meanwhile");
    assert.deepEqual(await readdir(locks()), []);
  });
});
