import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { processIdentity } from "../../../../src/node/storage/processIdentity.ts";
import { bundledScript } from "../../../fakes/bundledScript.ts";

/** A process that prints its name, and runs until it is killed. */
async function startNamed() {
  const child = spawn(process.execPath, [bundledScript("test/fakes/namedProcess.ts")]);
  const [name] = await once(child.stdout.setEncoding("utf8"), "data");
  return { child, name: String(name).trim() };
}

describe("the identity of a process", () => {
  it("tells a process that runs from one that has ended", async () => {
    const { name, hasEnded } = processIdentity();
    assert.equal(await hasEnded(name), false);
    const other = await startNamed();
    assert.notEqual(other.name, name);
    assert.equal(await hasEnded(other.name), false);
    other.child.kill("SIGKILL");
    await once(other.child, "exit");
    assert.equal(await hasEnded(other.name), true);
  });

  it("takes a process for ended whose number another one has now", async function () {
    if (process.platform !== "linux") this.skip();
    const { name, hasEnded } = processIdentity();
    assert.equal(await hasEnded(name.replace(/\d+$/, "1")), true);
  });

  for (const elsewhere of ["another-machine 1 1", "worker-1", ""])
    it(`knows nothing of a host elsewhere (${JSON.stringify(elsewhere)})`, async () => {
      assert.equal(await processIdentity().hasEnded(elsewhere), false);
    });
});
