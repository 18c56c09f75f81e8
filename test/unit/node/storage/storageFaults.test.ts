import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import {
  createNodeEventLogStorage,
  createNodeSmallFiles,
} from "../../../../src/node/storage/nodeEventLog.ts";
import type { StorageFault } from "../../../../src/ports/eventLog.ts";
import {
  ProposalStore,
  type StoredOperation,
} from "../../../../src/review/storage/proposalStore.ts";
import { watchedLogs } from "../../../../src/review/storage/watchedLogs.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const BINARY = Buffer.from([0, 0xff, 0xfe, 0x0a, 0x80, 0x81, 0x0a]);

describe("storage that fails", () => {
  let folder: TempFolder;
  let faults: StorageFault[];
  const tell = (fault: StorageFault) => void faults.push(fault);

  beforeEach(async () => {
    folder = await tempFolder();
    faults = [];
  });

  afterEach(() => folder.remove());

  const logs: readonly {
    readonly what: string;
    spoil(file: string): Promise<unknown>;
    /** What the log gives, and how its faults are told. */
    readonly kept: readonly string[];
    readonly told: readonly StorageFault["code"][];
    /** What lies beside it. */
    readonly aside: Buffer | "folder" | null;
  }[] = [
    {
      what: "a binary log",
      spoil: (file) => writeFile(file, BINARY),
      kept: [],
      told: ["damaged"],
      aside: BINARY,
    },
    {
      what: "a log that is binary in the middle",
      spoil: (file) =>
        writeFile(
          file,
          Buffer.concat([Buffer.from('{"a":1}\n'), BINARY, Buffer.from('{"b":2}\n')]),
        ),
      kept: ['{"a":1}', '{"b":2}'],
      told: ["damaged"],
      aside: Buffer.concat([Buffer.from('{"a":1}\n'), BINARY, Buffer.from('{"b":2}\n')]),
    },
    {
      what: "a folder in place of a log",
      spoil: (file) => mkdir(file),
      kept: [],
      told: ["not-a-file"],
      aside: "folder",
    },
    {
      what: "a log that a crash tore",
      spoil: (file) => writeFile(file, '{"a":1}\n{"b":'),
      kept: ['{"a":1}', '{"b":'],
      told: [],
      aside: null,
    },
  ];

  for (const { what, spoil, kept, told, aside } of logs) {
    it(`${what} gives what can be read, is kept aside and goes on`, async () => {
      const file = path.join(folder.root, "chat.jsonl");
      await spoil(file);
      const open = () =>
        watchedLogs(createNodeEventLogStorage(folder.root), "chat", tell).open("chat");
      const log = open();
      assert.deepEqual(await log.read(), kept);
      await log.append(['{"c":3}']);
      assert.deepEqual(await open().read(), [...kept, '{"c":3}']);
      assert.deepEqual(
        faults.map(({ code }) => code),
        told,
      );
      const [place = ""] = faults.map((fault) => fault.place);
      if (aside === "folder") assert.deepEqual(await readdir(place), []);
      else if (aside) assert.deepEqual(await readFile(place), aside);
      assert.equal((await readdir(folder.root)).length, aside ? 2 : 1);
    });
  }

  it("a log that cannot be written says so each time, and keeps what is stored", async () => {
    await writeFile(path.join(folder.root, "chats"), "");
    const log = watchedLogs(
      createNodeEventLogStorage(path.join(folder.root, "chats")),
      "chat",
      tell,
    ).open("chat");
    await assert.rejects(log.append(['{"a":1}']));
    assert.deepEqual(
      faults.map(({ code }) => code),
      ["unwritable"],
    );
    assert.equal(await readFile(path.join(folder.root, "chats"), "utf8"), "");
  });

  const operation = (id: string, begunAt: number): StoredOperation => ({
    id,
    begunAt,
    file: { path: "a.ts", uri: "file:///a.ts" },
    to: null,
    state: "1 1",
    origin: { chatId: "chat", turnId: "turn", callId: "call" },
    blockId: id,
  });
  const storeOf = (place = folder.root) =>
    new ProposalStore(createNodeSmallFiles(place), new RecordingLogger(), tell, {
      host: hostNamed("1"),
    });

  /** The file with a proposal. */
  const recordOf = async (id: string) => {
    const name = (await readdir(folder.root)).find((each) => each.endsWith(`.${id}.json`));
    assert.ok(name);
    return path.join(folder.root, name);
  };

  const records: readonly {
    readonly what: string;
    spoil(file: string): Promise<unknown>;
    readonly told?: StorageFault["code"];
  }[] = [
    {
      what: "a torn record",
      spoil: async (file) => writeFile(file, (await readFile(file, "utf8")).slice(0, 40)),
    },
    { what: "an empty record", spoil: (file) => writeFile(file, "") },
    { what: "a binary record", spoil: (file) => writeFile(file, BINARY) },
    { what: "a record of something else", spoil: (file) => writeFile(file, '{"id":"other"}') },
    {
      what: "a folder in place of a record",
      spoil: async (file) => {
        await rm(file);
        await mkdir(file);
      },
      told: "not-a-file",
    },
  ];

  for (const { what, spoil, told = "damaged" } of records) {
    it(`${what} is kept aside, once, and the other proposals are there`, async () => {
      const store = storeOf();
      await store.keep("one", () => operation("one", 1));
      await store.keep("two", () => operation("two", 2));
      await store.release();
      await spoil(await recordOf("one"));
      const next = storeOf();
      assert.deepEqual(await next.load(), [operation("two", 2)]);
      await next.release();
      const [fault] = faults;
      assert.equal(fault?.code, told);
      assert.ok((await readdir(folder.root)).includes(path.basename(fault.place)));
      assert.deepEqual(await storeOf().load(), [operation("two", 2)]);
      assert.equal(faults.length, 1);
    });
  }

  it("proposals that cannot be written or listed are told of", async () => {
    const place = path.join(folder.root, "proposals");
    await writeFile(place, "");
    const store = storeOf(place);
    assert.deepEqual(await store.load(), []);
    await store.keep("one", () => operation("one", 1));
    assert.deepEqual([...new Set(faults.map(({ code }) => code))].sort(), [
      "unreadable",
      "unwritable",
    ]);
  });
});
