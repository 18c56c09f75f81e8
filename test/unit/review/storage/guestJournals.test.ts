import assert from "node:assert/strict";
import { createNodeEventLogStorage } from "../../../../src/node/storage/nodeEventLog.ts";
import { guestJournals } from "../../../../src/review/storage/guestJournals.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const change = (path: string, turnId = "turn-1") => ({
  ...{ at: 1, turnId, callId: "call", path, uri: `file:///${path}`, agent: "Claude Code" },
  ...{ before: "one\n", after: "two\n" },
});

describe("what guests changed", () => {
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder.remove());

  const open = () => {
    const storage = createNodeEventLogStorage(folder.root);
    return { storage, journals: guestJournals(storage, new RecordingLogger()) };
  };

  it("is on record under its name after a restart, in the order in which it was accepted", async () => {
    const { journals } = open();
    void journals.of("guest-1").record(change("a.ts"));
    void journals.of("guest-1").record(change("b.ts"));
    await journals.of("guest-1").record(change("c.ts"));
    const [guest, ...others] = await open().journals.latest();
    assert.deepEqual(others, []);
    const changes = (await guest?.journal.all()) ?? [];
    assert.deepEqual(
      changes.map(({ path, agent }) => `${path} ${agent}`),
      ["a.ts Claude Code", "b.ts Claude Code", "c.ts Claude Code"],
    );
  });

  it("is of this window and of others", async () => {
    const [here, there] = [open().journals, open().journals];
    await here.of("guest-1").record(change("a.ts"));
    await there.of("guest-1").record(change("b.ts"));
    const [guest] = await here.latest();
    assert.equal((await guest?.journal.all())?.length, 2);
  });

  it("is kept for the last twenty, and no chat's record is touched", async () => {
    const { journals, storage } = open();
    await storage.open("chat-1").append(["{}"]);
    for (let guest = 1; guest <= 23; guest++)
      await journals.of(`guest-${guest}`).record(change("a.ts"));
    assert.equal((await journals.latest()).length, 20);
    await open().journals.removeOld();
    const names = (await storage.list()).map(({ name }) => name);
    assert.equal(names.length, 21);
    assert.ok(names.includes("chat-1"));
  });
});
