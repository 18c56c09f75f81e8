import assert from "node:assert/strict";
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import * as path from "node:path";
import { createNodeSmallFiles } from "../../../../src/node/storage/nodeEventLog.ts";
import {
  ProposalStore,
  type StoredOperation,
} from "../../../../src/review/storage/proposalStore.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { hostNamed } from "../../../fakes/hostNamed.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";

const RUNS = campaignRuns(12, 40);

/**
 * A disk that only has what it was told to sync: texts by `flush`, and the names of a folder by a
 * sync of the folder.
 */
function watchDisk(root: string) {
  const { writeFile, rename, rm, open } = fs;
  /** What each file's data is on the disk, and under which names the folder has it there. */
  const data = new Map<string, string>();
  let names = new Map<string, string>();
  const unsynced: ((names: Map<string, string>) => void)[] = [];
  const inFolder = (file: unknown): file is string =>
    typeof file === "string" && path.dirname(file) === root;
  fs.writeFile = async (file, text, options) => {
    await writeFile(file, text, options);
    if (!inFolder(file)) return;
    const isSynced = typeof options === "object" && options !== null && options.flush === true;
    data.set(file, isSynced ? String(text) : "");
    unsynced.push((into) => into.set(file, data.get(file) ?? ""));
  };
  fs.rename = async (from, to) => {
    await rename(from, to);
    if (!inFolder(from) || !inFolder(to)) return;
    const text = data.get(from) ?? "";
    data.set(to, text);
    unsynced.push((into) => {
      into.delete(from);
      into.set(to, text);
    });
  };
  fs.rm = async (file, options) => {
    await rm(file, options);
    if (inFolder(file)) unsynced.push((into) => into.delete(file));
  };
  fs.open = async (file, ...rest): Promise<FileHandle> => {
    const handle = await open(file, ...rest);
    if (file !== root) return handle;
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      for (const apply of unsynced.splice(0)) apply(names);
    };
    return handle;
  };
  syncBuiltinESMExports();
  return {
    /** The power fails: of what was not synced, the disk has as much as it happens to have. */
    async fail(random: (below: number) => number): Promise<void> {
      const kept = random(unsynced.length + 1);
      for (const apply of unsynced.splice(0).slice(0, kept)) apply(names);
      for (const name of await fs.readdir(root)) await rm(path.join(root, name));
      for (const [file, text] of names) await writeFile(file, text);
      names = new Map(names);
    },
    dispose() {
      Object.assign(fs, { writeFile, rename, rm, open });
      syncBuiltinESMExports();
    },
  };
}

const operation = (id: string, state: string): StoredOperation => ({
  id,
  begunAt: 1,
  file: { path: `${id}.ts`, uri: `file:///${id}.ts` },
  to: null,
  state,
  origin: { chatId: "chat", turnId: "turn", callId: "call" },
  blockId: id,
});

describe("a loss of power", () => {
  let folder: TempFolder;
  let disk: ReturnType<typeof watchDisk>;

  beforeEach(async () => {
    folder = await tempFolder();
    disk = watchDisk(folder.root);
  });

  afterEach(async () => {
    disk.dispose();
    await folder.remove();
  });

  it(`keeps every proposal that counts as on record, in ${RUNS} lives`, async () => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = seededRandom(seed);
      const expected = new Map<string, string>();
      for (let life = 0; life < 3; life++) {
        const store = new ProposalStore(
          createNodeSmallFiles(folder.root),
          new RecordingLogger(),
          ({ code }) => assert.fail(`seed ${seed}: ${code}`),
          { host: hostNamed("1") },
        );
        const found = await store.load();
        for (const [id, state] of expected) {
          const kept = found.find((each) => each.id === id);
          assert.ok(kept && "state" in kept && kept.state === state, `seed ${seed}: ${id} is lost`);
        }
        for (let step = 0; step < 6; step++) {
          const id = `id${random(4)}`;
          const isGone = random(4) === 0;
          await store.keep(id, () => (isGone ? null : operation(id, `${seed}.${life}.${step}`)));
          if (isGone) expected.delete(id);
          else expected.set(id, `${seed}.${life}.${step}`);
        }
        const cut = store.keep("cut", () => operation("cut", "cut"));
        if (random(2) === 0) await cut;
        await cut.catch(() => undefined);
        await disk.fail(random);
      }
      const last = new ProposalStore(
        createNodeSmallFiles(folder.root),
        new RecordingLogger(),
        () => assert.fail("unkept"),
        { host: hostNamed("1") },
      );
      for (const { id } of await last.load()) await last.keep(id, () => null);
    }
  });
});
