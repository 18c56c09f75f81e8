import { randomUUID } from "node:crypto";
import {
  appendFile,
  constants,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import { SerialQueue } from "../../base/serialQueue.ts";
import {
  type EventLog,
  type EventLogStorage,
  type LogEntry,
  logLines,
  logName,
  MAX_LOG_BYTES,
  MAX_SMALL_BYTES,
  SET_ASIDE,
  type SmallFile,
  type SmallFiles,
} from "../../ports/eventLog.ts";
import { errorCode } from "../files/systemError.ts";
import { readPlainFile } from "./readPlainFile.ts";

const SUFFIX = ".jsonl";
const TEMPORARY = ".tmp";

/** Logs as files in `folder`, created by their first append. Lines are only appended. */
export function createNodeEventLogStorage(folder: string): EventLogStorage {
  return {
    async list() {
      const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(SUFFIX));
      const entries = await Promise.all(files.map((file) => entryOf(folder, file)));
      return entries.sort((a, b) => a.changedAt - b.changedAt || (a.name < b.name ? -1 : 1));
    },
    open: (name) => createNodeEventLog(path.join(folder, logName(name) + SUFFIX)),
    claim: (name) => createNodeSmallFile(path.join(folder, `${logName(name)}.claim`)),
    remove: (name) => rm(path.join(folder, logName(name) + SUFFIX), { force: true }),
    index: createNodeSmallFile(path.join(folder, "index.json")),
  };
}

/** The small files in `folder`, which is created by the first write. */
export function createNodeSmallFiles(folder: string): SmallFiles {
  return {
    place: folder,
    async list() {
      const names = await readdir(folder).catch((error: unknown) => {
        if (errorCode(error) === "ENOENT") return [];
        throw error;
      });
      return names.filter((name) => !name.endsWith(TEMPORARY) && !name.includes(SET_ASIDE));
    },
    version: (name) =>
      lstat(path.join(folder, path.basename(name))).then(
        ({ ino, mtimeMs, size }) => `${ino}-${mtimeMs}-${size}`,
        () => "",
      ),
    open: (name) => createNodeSmallFile(path.join(folder, path.basename(name)), true),
  };
}

function createNodeEventLog(file: string): EventLog {
  const queue = new SerialQueue();
  let ready = false;
  return {
    place: file,
    setAside: (lines) =>
      queue.run(async () => {
        // What is kept stays in its place until it is written there again.
        const aside = await putAside(file, (place) =>
          lines.length > 0 ? copyFile(file, place, constants.COPYFILE_EXCL) : rename(file, place),
        );
        if (lines.length > 0)
          await createNodeSmallFile(file, true).write(lines.map((line) => `${line}\n`).join(""));
        return aside;
      }),
    read: () =>
      queue.run(async () => logLines((await readPlainFile(file, MAX_LOG_BYTES)) ?? "", file)),
    append: (lines) =>
      queue.run(async () => {
        if (lines.length === 0) return;
        if (!ready) {
          await mkdir(path.dirname(file), { recursive: true });
          await closeTornLine(file);
          ready = true;
        }
        try {
          await appendFile(file, `${lines.join("\n")}\n`, "utf8");
        } catch (error) {
          // It may have written the first part, as on a full disk.
          ready = false;
          throw error;
        }
      }),
  };
}

/** Ends a line that a crash cut off, so that the next one starts after it. */
async function closeTornLine(file: string): Promise<void> {
  const handle = await open(file, "a+");
  try {
    const { size } = await handle.stat();
    if (size === 0) return;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== 0x0a) await handle.appendFile("\n");
  } finally {
    await handle.close();
  }
}

async function entryOf(folder: string, file: string): Promise<LogEntry> {
  const name = file.slice(0, -SUFFIX.length);
  return lstat(path.join(folder, file)).then(
    ({ mtimeMs, size }) => ({ name, changedAt: mtimeMs, version: `${mtimeMs}-${size}` }),
    () => ({ name, changedAt: 0, version: "" }),
  );
}

/** `durable` waits for the disk. */
function createNodeSmallFile(file: string, durable = false): SmallFile {
  return {
    read: () => readPlainFile(file, MAX_SMALL_BYTES),
    async create(text) {
      await mkdir(path.dirname(file), { recursive: true });
      try {
        await writeFile(file, text, { encoding: "utf8", flag: "wx", flush: durable });
        if (durable) await syncNames(path.dirname(file));
        return true;
      } catch (error) {
        if (errorCode(error) === "EEXIST") return false;
        // A full disk leaves an empty file.
        await rm(file, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    /** Readers never see a part of the text. */
    async write(text) {
      const temporary = `${file}.${randomUUID().slice(0, 8)}${TEMPORARY}`;
      await mkdir(path.dirname(file), { recursive: true });
      try {
        await writeFile(temporary, text, { encoding: "utf8", flush: durable });
        await rename(temporary, file);
        if (durable) await syncNames(path.dirname(file));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    remove: () => rm(file, { force: true }),
    setAside: () => putAside(file, (place) => rename(file, place)),
  };
}

/** Puts a damaged file where nothing is yet. */
async function putAside(file: string, put: (place: string) => Promise<void>): Promise<string> {
  const place = `${file}${SET_ASIDE}${randomUUID().slice(0, 8)}`;
  await put(place);
  return place;
}

/** Puts the names in a folder on the disk, where the system can do that. */
async function syncNames(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
