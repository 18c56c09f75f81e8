import assert from "node:assert/strict";
import { appendFile, rm, symlink, utimes } from "node:fs/promises";
import * as path from "node:path";
import { createNodeEventLogStorage } from "../../../../src/node/storage/nodeEventLog.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

describe("node event log", () => {
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder();
  });

  afterEach(() => folder.remove());

  it("returns appended lines in order, also to a later reader", async () => {
    const log = createNodeEventLogStorage(path.join(folder.root, "deep", "logs")).open("chat-1");
    assert.deepEqual(await log.read(), []);
    await Promise.all([log.append(["a", "b"]), log.append([]), log.append(["c"])]);
    const again = createNodeEventLogStorage(path.join(folder.root, "deep", "logs"));
    assert.deepEqual(await again.open("chat-1").read(), ["a", "b", "c"]);
    assert.deepEqual(pluck(await again.list(), "name"), ["chat-1"]);
  });

  it("returns a torn last line as written, and starts a new line after it", async () => {
    await appendFile(path.join(folder.root, "chat.jsonl"), '{"a":1}\n{"b":');
    const log = createNodeEventLogStorage(folder.root).open("chat");
    assert.deepEqual(await log.read(), ['{"a":1}', '{"b":']);
    await log.append(['{"c":3}']);
    assert.deepEqual(await log.read(), ['{"a":1}', '{"b":', '{"c":3}']);
  });

  it("starts a new line after one that a failed append tore", async () => {
    const file = path.join(folder.root, "chat.jsonl");
    await symlink("/dev/full", file);
    const log = createNodeEventLogStorage(folder.root).open("chat");
    await assert.rejects(log.append(['{"a":1}']));
    await rm(file);
    await appendFile(file, '{"a":');
    await log.append(['{"a":1}']);
    assert.deepEqual(await log.read(), ['{"a":', '{"a":1}']);
  });

  it("lists the logs with the newest last, or none without a folder", async () => {
    const storage = createNodeEventLogStorage(folder.root);
    await storage.open("b-old").append(["1"]);
    await storage.open("a-new").append(["1"]);
    await utimes(path.join(folder.root, "b-old.jsonl"), 1, 1);
    await folder.write("notes.txt", "");
    assert.deepEqual(pluck(await storage.list(), "name"), ["b-old", "a-new"]);
    assert.deepEqual(await createNodeEventLogStorage(path.join(folder.root, "none")).list(), []);
  });

  it("refuses names that are paths", () => {
    assert.throws(() => createNodeEventLogStorage(folder.root).open("../x"), /letters, digits/);
  });
});
