import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSoundFile } from "../../../../src/node/voice/soundFile.ts";

describe("a file with sound", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "graft-sound-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const until = async (what: string, is: () => boolean) => {
    for (let turn = 0; !is(); turn++) {
      assert.ok(turn < 10_000, what);
      await new Promise(setImmediate);
    }
  };
  const fail = (reason: unknown) => assert.fail(String(reason));

  it("has what was added, in order, and is the user's own", async () => {
    const file = path.join(folder, "voice/said.pcm");
    const sound = openSoundFile(file, fail);
    sound.keep(new Int16Array([1, 2]));
    // A piece of a larger buffer.
    sound.keep(new Int16Array([9, 3, -4, 9]).subarray(1, 3));
    const size = () => (existsSync(file) ? statSync(file).size : 0);
    await until("it is written", () => size() === 8);
    const bytes = readFileSync(file);
    assert.deepEqual(
      [0, 2, 4, 6].map((at) => bytes.readInt16LE(at)),
      [1, 2, 3, -4],
    );
    if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o077, 0);
  });

  it("is gone once it is forgotten, but not before the words are kept", async () => {
    const file = path.join(folder, "said.pcm");
    const sound = openSoundFile(file, fail);
    let wordsKept = () => {};
    const kept = new Promise<void>((resolve) => {
      wordsKept = resolve;
    });
    sound.keep(new Int16Array([1]));
    sound.forget(kept);
    await until("it is written", () => existsSync(file));
    wordsKept();
    await until("it is gone", () => !existsSync(file));
    sound.keep(new Int16Array([2]));
    await until("there is new sound", () => existsSync(file) && statSync(file).size === 2);
  });
});
