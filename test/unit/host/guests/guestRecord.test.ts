import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { forgetGuest, guestRecord } from "../../../../src/host/guests/guestRecord.ts";
import { createNodeSmallFiles } from "../../../../src/node/storage/nodeEventLog.ts";
import type { EditBlock } from "../../../../src/turns/editBlock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const EDIT: EditBlock = {
  ...{ blockId: "b1", callId: "c1", path: "a.ts", index: 1, target: "ast-path:a", op: "replace" },
  ...{ status: "pending", reason: null, warnings: [], addedLines: 1, removedLines: 1 },
  ...{ step: 0, textStart: 0, textEnd: 0 },
};
const rejected = (blockId: string) => {
  const blocks = [{ blockId, status: "rejected", reason: { code: "rejected-by-user" } }];
  return JSON.stringify({
    type: "decided",
    turnId: "guest-1",
    path: "a.ts",
    blocks,
    userDiff: null,
  });
};

describe("what is kept for a guest", () => {
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder.remove());

  const open = (chatId: string) =>
    guestRecord(createNodeSmallFiles(folder.root), chatId, new RecordingLogger());

  it("are its edits, after a restart too", async () => {
    await open("guest-1").keep([EDIT]);
    assert.deepEqual(await open("guest-1").edits(), [EDIT]);
    assert.deepEqual(await open("guest-2").edits(), []);
  });

  it("are its decisions in order, once, without damaged ones and those of others", async () => {
    await folder.write("guest-1.2-x.json", rejected("b2"));
    await folder.write("guest-1.1-x.json", rejected("b1"));
    await folder.write("guest-1.3-x.json", "{");
    await folder.write("guest-10.1-x.json", rejected("b3"));
    const record = open("guest-1");
    const taken = (await record.takeDecisions()).flatMap(({ blocks }) => blocks);
    assert.deepEqual(
      taken.map(({ blockId }) => blockId),
      ["b1", "b2"],
    );
    assert.deepEqual(await record.takeDecisions(), []);
    // What is damaged is kept aside.
    const left = (await readdir(folder.root)).filter((name) => !name.includes(".damaged-"));
    assert.deepEqual(left, ["guest-10.1-x.json"]);
  });

  it("are no damaged edits", async () => {
    await folder.write("edits-guest-1.json", '[{"blockId":1}]');
    assert.deepEqual(await open("guest-1").edits(), []);
  });

  it("is gone once it is forgotten", async () => {
    await open("guest-1").keep([EDIT]);
    await folder.write("guest-1.1-x.json", rejected("b1"));
    await forgetGuest(createNodeSmallFiles(folder.root), "guest-1");
    assert.deepEqual(await readdir(folder.root), []);
  });
});
