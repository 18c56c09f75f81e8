import { lstat, type Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import * as path from "node:path";
import { changeMode } from "../files/openFolder.ts";
import { OpenFolders } from "../files/openFolders.ts";
import { isFolderMark, type Mark, markOf } from "./copyManifest.ts";

/** Everything in a folder: marks by path relative to it, a folder before what is in it. */
export interface FileTree {
  readonly marks: ReadonlyMap<string, Mark>;
  /** The bytes of all files that were looked at. */
  readonly bytes: number;
}

/** How many folders are looked at together. */
const TOGETHER = 8;

/**
 * Looks at everything in a folder, without following links. `own` opens folders that nobody may
 * read. Stops beyond `most` bytes. Rejects where `signal` aborts.
 */
export async function fileTree(
  top: string,
  signal: AbortSignal,
  { own = false, most = Number.POSITIVE_INFINITY } = {},
): Promise<FileTree> {
  const marks = new Map<string, Mark>();
  let bytes = 0;
  let open = [""];
  while (open.length > 0) {
    const next: string[] = [];
    for (let at = 0; at < open.length && bytes <= most; at += TOGETHER) {
      signal.throwIfAborted();
      const folders = open.slice(at, at + TOGETHER);
      const all = await Promise.all(folders.map((folder) => folderEntries(top, folder, own)));
      for (const [name, stats] of all.flat()) {
        const mark = markOf(stats);
        marks.set(name, mark);
        if (isFolderMark(mark)) next.push(name);
        else if (stats.isFile()) bytes += stats.size;
      }
    }
    open = bytes <= most ? next : [];
  }
  return { marks, bytes };
}

async function folderEntries(
  top: string,
  folder: string,
  own: boolean,
): Promise<readonly TreeEntry[]> {
  const place = path.join(top, folder);
  let names = await childNames(place);
  if (names === null && own) {
    const opened = new OpenFolders(top);
    await opened.within(folder, (entry) => changeMode(entry, 0o700)).catch(() => undefined);
    names = await childNames(place);
  }
  const start = folder === "" ? "" : `${folder}${path.sep}`;
  const all = (names ?? []).map((name) => entryAt(top, `${start}${name}`));
  return (await Promise.all(all)).filter((each) => each !== null);
}

type TreeEntry = readonly [name: string, stats: Stats];

/** Without a promise of the file system's own, which costs more than the look itself. */
function entryAt(top: string, name: string): Promise<TreeEntry | null> {
  return new Promise((resolve) => {
    lstat(`${top}${path.sep}${name}`, (error, stats) => resolve(error ? null : [name, stats]));
  });
}

function childNames(folder: string): Promise<string[] | null> {
  return readdir(folder).catch(() => null);
}
