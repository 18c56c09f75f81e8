import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFile,
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import * as path from "node:path";
import {
  createNodeEventLogStorage,
  createNodeSmallFiles,
} from "../../../../src/node/storage/nodeEventLog.ts";
import type { StorageFault } from "../../../../src/ports/eventLog.ts";
import { listChats } from "../../../../src/review/chats/listChats.ts";
import { Lease, leaseFiles } from "../../../../src/review/storage/lease.ts";
import {
  ProposalStore,
  type StoredOperation,
} from "../../../../src/review/storage/proposalStore.ts";
import { watchedLogs } from "../../../../src/review/storage/watchedLogs.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const MB = 1024 * 1024;
const BINARY = Buffer.from([0, 0xff, 0xfe, 0x0a, 0x80, 0x81, 0x0a, 0x7b, 0x22]);
const NESTED = `{"a":${"[".repeat(20 * MB)}`;
/** Windows has neither pipes, nor links and rights of this kind. */
const HAS_PIPES = process.platform !== "win32";
const IS_ROOT = process.getuid?.() === 0;

const operation = (id: string, begunAt: number): StoredOperation => ({
  ...{ id, begunAt, file: { path: `${id}.ts`, uri: `file:///${id}.ts` }, to: null, state: "1 1" },
  ...{ origin: { chatId: "chat", turnId: "turn", callId: "call" }, blockId: id },
});
const title = (seq: number, text = "A title"): TurnEvent => ({
  ...{ seq, turnId: "", at: 1, type: "chat-title", title: text },
});

/** A storage with two proposals of the holder `last`, and a chat of two events. */
interface Stored {
  readonly root: string;
  /** The name of the last holder, the number of its claim, and the name of the one before. */
  readonly last: string;
  readonly number: number;
  at(...names: readonly string[]): string;
  /** The file of a claim with a number, and of a proposal's record. */
  claim(number: number | string): string;
  record(id: string): string;
}

interface Case {
  readonly what: string;
  spoil(stored: Stored): Promise<unknown>;
  /** What is told, and the ids of the proposals shown; both are there by default. */
  readonly told?: readonly StorageFault["code"][];
  readonly shown?: readonly string[];
  /** The events of the chat that are shown; two by default. */
  readonly events?: number;
  /** False where new proposals cannot be written. */
  readonly isWritable?: boolean;
  readonly isSkipped?: boolean;
}

const pipe = (file: string) => execFileSync("mkfifo", [file]);
/** One that never ends, as /dev/zero. Only root can make it. */
const device = (file: string) => execFileSync("mknod", [file, "c", "1", "5"]);
const toItself = (file: string) => symlink(file, file);
/** Two links that lead to each other. */
const circle = async (file: string) => {
  await symlink(`${file}.back`, file);
  await symlink(file, `${file}.back`);
};
const inPlaceOf = async (file: string, make: (file: string) => unknown) => {
  await rm(file, { force: true });
  await make(file);
};
const large = async (file: string, bytes: number) => {
  await writeFile(file, "");
  await truncate(file, bytes);
};
const claimText = (fields: object = {}) =>
  JSON.stringify({ host: "gone", holder: "holder-unknown", takenAt: 1, ...fields });
/** A holder that has a record proves that it was there. */
const unknown: Partial<Case> = { told: [] };

const CLAIMS: readonly Case[] = [
  {
    what: "a claim numbered 999999999999",
    spoil: ({ claim }) => writeFile(claim(999_999_999_999), claimText()),
    told: ["not-a-file"],
  },
  {
    what: "a claim with the highest number",
    spoil: ({ claim }) => writeFile(claim(1_000_000_000), claimText()),
  },
  {
    what: "a claim with the number before",
    spoil: ({ claim }) => writeFile(claim(999_999_999), claimText()),
  },
  {
    what: "a claim with a number beyond 2^53",
    spoil: ({ claim }) => writeFile(claim("9007199254740993"), claimText()),
    told: ["not-a-file"],
  },
  {
    what: "a claim with a number of 200 digits",
    spoil: ({ claim }) => writeFile(claim("9".repeat(200)), claimText()),
    told: ["not-a-file"],
  },
  {
    what: "claims with the numbers 0, -5 and 007",
    spoil: ({ claim }) =>
      Promise.all([0, "-5", "007"].map((number) => writeFile(claim(number), claimText()))),
    told: ["not-a-file", "not-a-file", "not-a-file"],
  },
  {
    what: "a claim in capitals",
    spoil: ({ at }) => writeFile(at("proposals", "LEASE-99.JSON"), claimText()),
    told: ["not-a-file"],
  },
  {
    what: "a pipe in place of the next claim",
    spoil: async ({ claim, number }) => pipe(claim(number + 1)),
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a folder in place of the next claim",
    spoil: ({ claim, number }) => mkdir(claim(number + 1)),
    told: ["not-a-file"],
  },
  {
    what: "a link in place of the claim",
    spoil: async ({ at, claim, number }) => {
      await writeFile(at("elsewhere.json"), claimText());
      await symlink(at("elsewhere.json"), claim(number + 1));
    },
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a link to itself in place of the claim",
    spoil: ({ claim, number }) => symlink(claim(number + 1), claim(number + 1)),
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a claim that may not be read",
    spoil: async ({ claim, number }) => {
      await writeFile(claim(number + 1), claimText());
      await chmod(claim(number + 1), 0);
    },
    told: ["no-access"],
    isSkipped: !HAS_PIPES || IS_ROOT,
  },
  {
    what: "a device in place of the next claim",
    spoil: async ({ claim, number }) => device(claim(number + 1)),
    told: ["not-a-file"],
    isSkipped: !IS_ROOT,
  },
  {
    what: "links in a circle in place of the next claim",
    spoil: ({ claim, number }) => circle(claim(number + 1)),
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a claim that was written by half",
    spoil: ({ claim, number, last }) =>
      writeFile(claim(number + 1), claimText({ holder: last }).slice(0, -9)),
  },
  { what: "an empty claim", spoil: ({ claim, number }) => writeFile(claim(number + 1), "") },
  { what: "a binary claim", spoil: ({ claim, number }) => writeFile(claim(number + 1), BINARY) },
  ...[
    "5",
    "[]",
    '"text"',
    '{"holder":1,"host":"x","takenAt":0}',
    '{"__proto__":{"holder":"x"}}',
  ].map(
    (text): Case => ({
      what: `a claim that says ${text}`,
      spoil: ({ claim, number }) => writeFile(claim(number + 1), text),
    }),
  ),
  {
    what: "a claim nested millions of levels deep",
    spoil: ({ claim, number }) => writeFile(claim(number + 1), NESTED),
  },
  {
    what: "a claim of 120 MB",
    spoil: ({ claim, number }) => large(claim(number + 1), 120 * MB),
    told: ["too-large"],
  },
  {
    what: "no claim",
    spoil: ({ claim, number }) => rm(claim(number)),
  },
  {
    what: "a claim of an unknown holder that names the real one as outdated",
    spoil: ({ claim, number, last }) => writeFile(claim(number + 1), claimText({ last })),
    ...unknown,
  },
  {
    what: "a claim of an unknown holder",
    spoil: ({ claim, number }) => writeFile(claim(number + 1), claimText()),
    ...unknown,
  },
  {
    what: "a claim with impossible times",
    spoil: ({ claim, number, last }) =>
      writeFile(claim(number + 1), claimText({ holder: last, last, takenAt: -1e308 })),
  },
  {
    what: "two thousand claims",
    spoil: async ({ claim, last }) => {
      for (let number = 100; number < 2100; number++)
        await writeFile(claim(number), claimText({ holder: last }));
    },
  },
  {
    what: "two thousand torn claims",
    spoil: async ({ claim }) => {
      for (let number = 100; number < 2100; number++) await writeFile(claim(number), '{"host":');
    },
  },
];

/** What asks for a free lease is removed unread. */
const SIGNS: readonly Case[] = [
  ["beat.json", ["not-a-file"], ["too-large"]] as const,
  ["asked.json", [], []] as const,
].flatMap(([name, notAFile, tooLarge]): readonly Case[] => [
  {
    what: `a pipe in place of ${name}`,
    spoil: ({ at }) => inPlaceOf(at("proposals", name), pipe),
    told: notAFile,
    isSkipped: !HAS_PIPES,
  },
  {
    what: `a folder in place of ${name}`,
    spoil: ({ at }) => inPlaceOf(at("proposals", name), mkdir),
    told: notAFile,
  },
  {
    what: `${name} of 120 MB`,
    spoil: ({ at }) => large(at("proposals", name), 120 * MB),
    told: tooLarge,
  },
  {
    what: `${name} with a time beyond all numbers`,
    spoil: ({ at }) =>
      writeFile(at("proposals", name), '{"holder":"x","renewedAt":1e999,"by":"user"}'),
  },
]);

const RECORDS: readonly Case[] = [
  {
    what: "a pipe in place of a record",
    spoil: ({ record }) => inPlaceOf(record("one"), pipe),
    told: ["not-a-file"],
    shown: ["two"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a folder in place of a record",
    spoil: ({ record }) => inPlaceOf(record("one"), mkdir),
    told: ["not-a-file"],
    shown: ["two"],
  },
  {
    what: "a socket in place of a record",
    spoil: ({ record }) =>
      inPlaceOf(record("one"), async (file) => {
        const server = createServer();
        // The short path that sockets need.
        process.chdir(path.dirname(file));
        await new Promise<void>((resolve) => server.listen(path.basename(file), resolve));
        server.unref();
      }),
    told: ["not-a-file"],
    shown: ["two"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a link to a file elsewhere in place of a record",
    spoil: async ({ at, record }) => {
      await writeFile(at("elsewhere.json"), JSON.stringify(operation("one", 1)));
      await inPlaceOf(record("one"), (file) => symlink(at("elsewhere.json"), file));
    },
    told: ["not-a-file"],
    shown: ["two"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a device in place of a record",
    spoil: ({ record }) => inPlaceOf(record("one"), device),
    told: ["not-a-file"],
    shown: ["two"],
    isSkipped: !IS_ROOT,
  },
  ...(
    [
      ["a link to itself", toItself],
      ["links in a circle", circle],
    ] as const
  ).map(
    ([what, make]): Case => ({
      what: `${what} in place of a record`,
      spoil: ({ record }) => inPlaceOf(record("one"), make),
      told: ["not-a-file"],
      shown: ["two"],
      isSkipped: !HAS_PIPES,
    }),
  ),
  {
    what: "a record that was written by half",
    spoil: async ({ record }) => {
      const text = await readFile(record("one"), "utf8");
      await writeFile(record("one"), text.slice(0, text.length / 2));
    },
    told: ["damaged"],
    shown: ["two"],
  },
  {
    what: "a record that may not be read",
    spoil: ({ record }) => chmod(record("one"), 0),
    told: ["no-access"],
    shown: ["two"],
    isSkipped: !HAS_PIPES || IS_ROOT,
  },
  {
    what: "a record of 120 MB",
    spoil: ({ record }) => large(record("one"), 120 * MB),
    told: ["too-large"],
    shown: ["two"],
  },
  ...[
    ["an empty record", ""],
    ["a binary record", BINARY],
    ["a record of another shape", '{"id":"one"}'],
    ["a record nested millions of levels deep", NESTED],
    ["a record under the name of another", JSON.stringify(operation("two", 3))],
    ["a record whose id leads elsewhere", JSON.stringify(operation("../two", 3))],
    [
      "a record with an endless number",
      JSON.stringify(operation("one", 1)).replace(":1,", ":1e999,"),
    ],
  ].map(
    ([what, text]): Case => ({
      what: String(what),
      spoil: ({ record }) => writeFile(record("one"), text ?? ""),
      told: ["damaged"],
      shown: ["two"],
    }),
  ),
  {
    what: "a record with a negative time",
    spoil: ({ record }) => writeFile(record("one"), JSON.stringify(operation("one", -5))),
  },
  {
    what: "a record in capitals",
    spoil: ({ at, last }) =>
      writeFile(at("proposals", `${last}.one.JSON`), JSON.stringify(operation("one", 9))),
  },
  {
    what: "two thousand records of holders that nobody knows",
    spoil: async ({ at }) => {
      for (let count = 0; count < 2000; count++)
        await writeFile(at("proposals", `holder-${count}.x${count}.json`), BINARY);
    },
  },
  {
    what: "a file in place of the folder",
    spoil: async ({ at }) => {
      await rm(at("proposals"), { recursive: true });
      await writeFile(at("proposals"), "");
    },
    told: ["unreadable", "unwritable"],
    shown: [],
    isWritable: false,
  },
];

const LOGS: readonly Case[] = [
  {
    what: "a chat of 300 MB",
    spoil: ({ at }) => large(at("chats", "chat.jsonl"), 300 * MB),
    told: ["too-large"],
    events: 0,
  },
  {
    what: "a chat of millions of lines",
    spoil: ({ at }) => writeFile(at("chats", "chat.jsonl"), "1\n".repeat(3_000_000)),
    told: ["too-large"],
    events: 0,
  },
  {
    what: "a chat with a hundred thousand lines that are no events",
    spoil: ({ at }) => appendFile(at("chats", "chat.jsonl"), '{"a":1}\n'.repeat(100_000)),
  },
  {
    what: "a chat with fifty thousand lines of garbage",
    spoil: ({ at }) => appendFile(at("chats", "chat.jsonl"), "garbage\n".repeat(50_000)),
    told: ["damaged"],
  },
  {
    what: "a pipe in place of a chat",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.jsonl"), pipe),
    told: ["not-a-file"],
    events: 0,
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a folder in place of a chat",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.jsonl"), mkdir),
    told: ["not-a-file"],
    events: 0,
  },
  {
    what: "a device in place of a chat",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.jsonl"), device),
    told: ["not-a-file"],
    events: 0,
    isSkipped: !IS_ROOT,
  },
  {
    what: "links in a circle in place of a chat",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.jsonl"), circle),
    told: ["not-a-file"],
    events: 0,
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a device in place of a chat's claim",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.claim"), device),
    told: ["not-a-file"],
    isSkipped: !IS_ROOT,
  },
  {
    what: "a link to itself in place of a chat's claim",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.claim"), toItself),
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a link in place of a chat",
    spoil: async ({ at }) => {
      await writeFile(at("elsewhere.jsonl"), `${JSON.stringify(title(1))}\n`);
      await inPlaceOf(at("chats", "chat.jsonl"), (file) => symlink(at("elsewhere.jsonl"), file));
    },
    told: ["not-a-file"],
    events: 0,
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a binary chat",
    spoil: ({ at }) => writeFile(at("chats", "chat.jsonl"), BINARY),
    told: ["damaged"],
    events: 0,
  },
  {
    what: "a chat whose last line is torn",
    spoil: ({ at }) => appendFile(at("chats", "chat.jsonl"), '{"seq":3,"turn'),
  },
  {
    what: "a chat with a line nested millions of levels deep",
    spoil: ({ at }) => appendFile(at("chats", "chat.jsonl"), `${NESTED}\n`),
  },
  ...[2 ** 53 + 2, -1, 0, 1.5, 1e300].map(
    (seq): Case => ({
      what: `a chat with an event of the number ${seq}`,
      spoil: ({ at }) => appendFile(at("chats", "chat.jsonl"), `${JSON.stringify(title(seq))}\n`),
    }),
  ),
  {
    what: "a chat with every line twice",
    spoil: async ({ at }) =>
      appendFile(at("chats", "chat.jsonl"), await readFile(at("chats", "chat.jsonl"))),
  },
  ...["chat.claim", "chat-beat.claim", "chat-asked.claim"].flatMap((name): readonly Case[] => [
    {
      what: `a pipe in place of ${name}`,
      spoil: ({ at }) => inPlaceOf(at("chats", name), pipe),
      // Nobody asks who has a chat that is free.
      told: name === "chat.claim" ? ["not-a-file"] : [],
      isSkipped: !HAS_PIPES,
    },
  ]),
  {
    what: "a folder in place of a chat's claim",
    spoil: ({ at }) => inPlaceOf(at("chats", "chat.claim"), mkdir),
    told: ["not-a-file"],
  },
  {
    what: "a chat's claim of 120 MB",
    spoil: ({ at }) => large(at("chats", "chat.claim"), 120 * MB),
    told: ["too-large"],
  },
  {
    what: "a pipe in place of the list of chats",
    spoil: ({ at }) => inPlaceOf(at("chats", "index.json"), pipe),
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  ...['{"chat":5}', "[]", BINARY].map(
    (text): Case => ({
      what: `a list of chats that says ${JSON.stringify(String(text))}`,
      spoil: ({ at }) => writeFile(at("chats", "index.json"), text),
    }),
  ),
  {
    what: "a device in place of the list of chats",
    spoil: ({ at }) => inPlaceOf(at("chats", "index.json"), device),
    told: ["not-a-file"],
    isSkipped: !IS_ROOT,
  },
  {
    what: "links in a circle in place of the list of chats",
    spoil: ({ at }) => inPlaceOf(at("chats", "index.json"), circle),
    told: ["not-a-file"],
    isSkipped: !HAS_PIPES,
  },
  {
    what: "a list of chats of 120 MB",
    spoil: ({ at }) => large(at("chats", "index.json"), 120 * MB),
    told: ["too-large"],
  },
];

describe("a storage that somebody else wrote into", () => {
  let folder: TempFolder;
  const leases: Lease[] = [];
  const stores: ProposalStore[] = [];
  const start = process.cwd();

  beforeEach(async () => {
    folder = await tempFolder();
  });

  afterEach(async () => {
    process.chdir(start);
    for (const lease of leases.splice(0)) await lease.release();
    for (const store of stores.splice(0)) await store.release();
    await folder.remove();
  });

  /** Opens all as a window does, and tells what it says. */
  async function open(root: string, window: string) {
    const faults: StorageFault[] = [];
    const tell = (fault: StorageFault) => void faults.push(fault);
    const logger = new RecordingLogger();
    const lease = { host: hostNamed(window, new Set(["1", "2"])), clock: new ManualClock() };
    const store = new ProposalStore(
      createNodeSmallFiles(path.join(root, "proposals")),
      logger,
      tell,
      lease,
    );
    stores.push(store);
    const kept = await store.load();
    const logs = watchedLogs(createNodeEventLogStorage(path.join(root, "chats")), "chat", tell);
    const held = await Lease.take(leaseFiles(logs, "chat"), lease);
    assert.ok(held, "the chat is free");
    leases.push(held);
    const log = held.guard(logs.open("chat"));
    const chat = await TurnStore.load(log, logger);
    await listChats(logs);
    return { store, kept, chat, faults };
  }

  async function stored(): Promise<Stored> {
    const { root } = folder;
    const { store, chat } = await open(root, "1");
    await store.keep("one", () => operation("one", 1));
    await store.keep("two", () => operation("two", 2));
    chat.append(title(1));
    chat.append(title(2));
    await chat.flush();
    for (const lease of leases.splice(0)) await lease.release();
    for (const each of stores.splice(0)) await each.release();
    const names = await readdir(path.join(root, "proposals"));
    const last = names.find((name) => name.endsWith(".one.json"))?.split(".")[0] ?? "";
    const number = Math.max(...names.map((name) => Number(/^lease-(\d+)/.exec(name)?.[1] ?? 0)));
    const at = (...given: readonly string[]) => path.join(root, ...given);
    return {
      ...{ root, last, number, at },
      claim: (given) => at("proposals", `lease-${given}.json`),
      record: (id) => at("proposals", `${last}.${id}.json`),
    };
  }

  for (const each of [...CLAIMS, ...SIGNS, ...RECORDS, ...LOGS]) {
    const { what, spoil, told = [], shown = ["one", "two"], events = 2 } = each;
    (each.isSkipped ? it.skip : it)(`opens with ${what}, says it and loses nothing`, async () => {
      const storage = await stored();
      await spoil(storage);
      const { store, kept, chat, faults } = await open(storage.root, "2");
      assert.deepEqual(kept.map(({ id }) => id).sort(), shown);
      // What is unreadable is told each time, and the user is told once.
      const codes = faults.map(({ code }) => code);
      assert.deepEqual(
        codes.filter((code, at) => code !== "unreadable" || codes.indexOf(code) === at).sort(),
        [...told].sort(),
      );
      for (const { place } of faults) await lstat(place);
      assert.equal(chat.events.length > 0 ? 2 : 0, events);
      if (each.isWritable === false) return;
      await store.keep("three", () => operation("three", 3));
      chat.append(title(chat.tree.lastSeq + 1, "Another title"));
      await chat.flush();
      for (const lease of leases.splice(0)) await lease.release();
      await store.release();
      const next = await open(storage.root, "3");
      assert.deepEqual(next.kept.map(({ id }) => id).sort(), [...shown, "three"].sort());
      assert.equal(next.chat.tree.title, "Another title");
      assert.deepEqual(next.faults, [], "once");
    });
  }

  (IS_ROOT ? it : it.skip)("sets aside what belongs to another user, and says it", async () => {
    const { root, claim, number, record, at } = await stored();
    await writeFile(claim(number + 1), claimText());
    for (const file of [claim(number + 1), record("one"), at("chats", "chat.jsonl")])
      await chown(file, 65_534, 65_534);
    // Root may read everything.
    const { getuid } = process;
    assert.ok(getuid);
    process.getuid = () => 1000;
    try {
      const { kept, chat, faults } = await open(root, "2");
      assert.deepEqual(
        kept.map(({ id }) => id),
        ["two"],
      );
      assert.equal(chat.events.length, 0);
      assert.deepEqual(
        faults.map(({ code }) => code),
        ["not-own", "not-own", "not-own"],
      );
      for (const { place } of faults) await lstat(place);
    } finally {
      process.getuid = getuid;
    }
  });
});
