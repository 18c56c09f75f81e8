import * as vscode from "vscode";
import { newId } from "../../base/ids.ts";
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
  unfitFile,
} from "../../ports/eventLog.ts";
import { lookAt, unlessMissing } from "../workspace/unlessMissing.ts";
import { readPlainFile } from "./readPlainFile.ts";

/** Every append rewrites the last segment, so this bounds its cost. */
const SEGMENT_CHARS = 128 * 1024;

/** How the name of a small file ends while it is written. */
const FRESH = /\.new$/;

/**
 * Logs for hosts without a disk. VS Code's file system cannot append, so a log is a folder of
 * segments; only the last is rewritten.
 */
export function createVscodeEventLogStorage(folder: vscode.Uri): EventLogStorage {
  return {
    async list() {
      const folders = (await readDirectory(folder)).filter(
        ([name, type]) => type === vscode.FileType.Directory && !name.includes(SET_ASIDE),
      );
      const entries = await Promise.all(folders.map(([name]) => logEntry(folder, name)));
      return entries.sort((a, b) => a.changedAt - b.changedAt || (a.name < b.name ? -1 : 1));
    },
    open: (name) => createVscodeEventLog(vscode.Uri.joinPath(folder, logName(name))),
    claim: (name) => createVscodeSmallFile(folder, `${logName(name)}.claim`),
    async remove(name) {
      const log = vscode.Uri.joinPath(folder, logName(name));
      if ((await readDirectory(log)).length > 0)
        await vscode.workspace.fs.delete(log, { recursive: true });
    },
    index: createVscodeSmallFile(folder, "index.json"),
  };
}

function createVscodeEventLog(folder: vscode.Uri): EventLog {
  const queue = new SerialQueue();
  let segment: { number: number; text: string } | null = null;

  async function lastSegment(): Promise<{ number: number; text: string }> {
    const number = (await segmentNumbers(folder)).at(-1) ?? 0;
    if (number === 0) return { number: 1, text: "" };
    const text = await readSegment(folder, number, MAX_LOG_BYTES);
    // What does not come back as it was is not written again.
    const isSound = text === "" || (text.endsWith("\n") && !text.includes("\ufffd"));
    return isSound ? { number, text } : { number: number + 1, text: "" };
  }

  return {
    place: folder.toString(true),
    read: () =>
      queue.run(async () => {
        const texts: string[] = [];
        let left = MAX_LOG_BYTES;
        for (const number of await segmentNumbers(folder)) {
          const text = await readSegment(folder, number, left);
          left -= text.length;
          texts.push(text.endsWith("\n") ? text : `${text}\n`);
        }
        return logLines(texts.join(""), folder.toString(true));
      }),
    setAside: (lines) =>
      queue.run(async () => {
        const aside = vscode.Uri.joinPath(folder, `../${asideName(nameOf(folder))}`);
        await vscode.workspace.fs.rename(folder, aside);
        segment = { number: 1, text: lines.map((line) => `${line}\n`).join("") };
        if (lines.length > 0)
          await vscode.workspace.fs.writeFile(
            segmentUri(folder, 1),
            new TextEncoder().encode(segment.text),
          );
        return aside.toString(true);
      }),
    append: (lines) =>
      queue.run(async () => {
        if (lines.length === 0) return;
        const last = segment ?? (await lastSegment());
        const added = `${lines.join("\n")}\n`;
        const next =
          last.text !== "" && last.text.length + added.length > SEGMENT_CHARS
            ? { number: last.number + 1, text: added }
            : { number: last.number, text: last.text + added };
        await vscode.workspace.fs.writeFile(
          segmentUri(folder, next.number),
          new TextEncoder().encode(next.text),
        );
        segment = next;
      }),
  };
}

function segmentUri(folder: vscode.Uri, number: number): vscode.Uri {
  return vscode.Uri.joinPath(folder, `${String(number).padStart(6, "0")}.jsonl`);
}

async function segmentNumbers(folder: vscode.Uri): Promise<readonly number[]> {
  const numbers = (await readDirectory(folder)).flatMap(([name]) => {
    const match = /^(\d{6,})\.jsonl$/.exec(name);
    return match ? [Number(match[1])] : [];
  });
  return numbers.sort((a, b) => a - b);
}

async function readSegment(folder: vscode.Uri, number: number, maxBytes: number): Promise<string> {
  const bytes = await readPlainFile(segmentUri(folder, number), maxBytes);
  return new TextDecoder().decode(bytes ?? new Uint8Array());
}

async function readDirectory(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  const found = await lookAt(folder);
  if (found && found.type !== vscode.FileType.Directory)
    throw unfitFile("not-a-file", folder.toString(true));
  return (await unlessMissing(vscode.workspace.fs.readDirectory(folder))) ?? [];
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

function asideName(name: string): string {
  return `${name}${SET_ASIDE}${newId("at")}`;
}

/**
 * The small files of a folder. VS Code's rename deletes the file first: a crash meanwhile leaves
 * the new text beside its place.
 */
export function createVscodeSmallFiles(folder: vscode.Uri): SmallFiles {
  return {
    place: folder.toString(true),
    list: async () => [
      ...new Set(
        (await readDirectory(folder))
          .filter(([name]) => !name.includes(SET_ASIDE))
          .map(([name]) => name.replace(FRESH, "")),
      ),
    ],
    async version(name) {
      const stat = await lookAt(vscode.Uri.joinPath(folder, name));
      return stat ? `${stat.mtime}-${stat.size}` : "";
    },
    open(name) {
      const place = createVscodeSmallFile(folder, name);
      const fresh = createVscodeSmallFile(folder, `${name}.new`);
      const at = (end: string) => vscode.Uri.joinPath(folder, name + end);
      return {
        ...place,
        read: async () => (await place.read()) ?? (await fresh.read()),
        async write(text) {
          await fresh.write(text);
          await vscode.workspace.fs.rename(at(".new"), at(""), { overwrite: true });
        },
        async remove() {
          await fresh.remove();
          await place.remove();
        },
        async setAside() {
          const aside = vscode.Uri.joinPath(folder, asideName(name));
          await vscode.workspace.fs.rename(at((await lookAt(at(""))) ? "" : ".new"), aside);
          return aside.toString(true);
        },
      };
    },
  };
}

/** VS Code's file system cannot create a file exclusively: of two writers the last one has it. */
function createVscodeSmallFile(folder: vscode.Uri, name: string): SmallFile {
  const uri = vscode.Uri.joinPath(folder, name);
  const write = async (text: string) =>
    vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const read = async () => {
    const bytes = await readPlainFile(uri, MAX_SMALL_BYTES);
    return bytes && new TextDecoder().decode(bytes);
  };
  return {
    read,
    write,
    async create(text) {
      if ((await read()) !== null) return false;
      await write(text);
      return true;
    },
    remove: async () => void (await unlessMissing(vscode.workspace.fs.delete(uri))),
    async setAside() {
      const aside = vscode.Uri.joinPath(folder, asideName(name));
      await vscode.workspace.fs.rename(uri, aside);
      return aside.toString(true);
    },
  };
}

async function logEntry(folder: vscode.Uri, name: string): Promise<LogEntry> {
  const log = vscode.Uri.joinPath(folder, name);
  const number = (await segmentNumbers(log).catch(() => [])).at(-1) ?? 1;
  const stat = await lookAt(segmentUri(log, number));
  return {
    name,
    changedAt: stat?.mtime ?? 0,
    version: stat ? `${number}-${stat.mtime}-${stat.size}` : "",
  };
}
