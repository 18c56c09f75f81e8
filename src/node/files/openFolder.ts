import type { Stats } from "node:fs";
import { constants } from "node:fs";
import {
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  stat,
} from "node:fs/promises";
import * as path from "node:path";
import { errorCode } from "./systemError.ts";

/** Thrown if a folder's path leads elsewhere than when it was resolved. */
export class MovedFolderError extends Error {
  readonly code = "GRAFT_MOVED";
}

/** An open folder. It stays the same even if its path later leads elsewhere. */
export interface OpenFolder {
  /** The path of an entry in this folder. */
  entry(name: string): string;
  /** Rejects once the folder's path leads elsewhere. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const O_FILE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const O_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens `folder`, a link-free path below `root`, without following links. `create` creates missing
 * folders. On Linux, entries are accessed through the open folder. Elsewhere, the path is checked
 * before and after.
 */
export async function openFolder(
  root: string,
  folder: string,
  create: boolean,
): Promise<OpenFolder> {
  const names = path.relative(root, folder).split(path.sep).filter(Boolean);
  if (names[0] === ".." || path.isAbsolute(names[0] ?? "")) throw new MovedFolderError(folder);
  return (await throughHandles(root, folder, names, create)) ?? byName(root, folder, names, create);
}

/**
 * Opens `file`, a link-free path below `root`, for reading, without following links and without
 * waiting for who writes a pipe. What is open is what the path led to, whatever it leads to now.
 */
export async function openFile(root: string, file: string): Promise<FileHandle> {
  const folder = await openFolder(root, path.dirname(file), false);
  try {
    const handle = await open(folder.entry(path.basename(file)), O_FILE);
    try {
      await folder.check();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } finally {
    await folder.close();
  }
}

/** A folder of which only the place is opened, which needs no permission; of Linux's `fcntl.h`. */
const O_PLACE = 0o10000000 | O_FOLDER;

/**
 * Opens a folder that nobody may read, too, and lets its owner work in it. Null for anything else,
 * a link as well. `place` is one name in a folder that is opened, or that only the user can change.
 */
export async function openOwnFolder(place: string): Promise<FileHandle | null> {
  if (!(await lstat(place)).isDirectory()) return null;
  const found = await open(place, O_PLACE);
  try {
    await chmod(descriptor(found), 0o700).catch(() => undefined);
    return await open(`${descriptor(found)}/.`, O_FOLDER);
  } finally {
    await found.close();
  }
}

/** Changes the permissions of a folder, but not of what a link leads to. `place` is as above. */
export async function changeMode(place: string, mode: number): Promise<void> {
  if (process.platform !== "linux") {
    if ((await lstat(place)).isDirectory()) await chmod(place, mode);
    return;
  }
  const found = await open(place, O_PLACE);
  await chmod(descriptor(found), mode).finally(() => found.close());
}

/** Null if the system cannot access entries through an open folder. */
async function throughHandles(
  root: string,
  folder: string,
  names: readonly string[],
  create: boolean,
): Promise<OpenFolder | null> {
  if (process.platform !== "linux") return null;
  let handle = await open(root, O_FOLDER);
  let place: string | null;
  try {
    place = await readlink(descriptor(handle)).catch(() => null);
    for (const name of place === null ? [] : names) {
      const inner = await openWithin(handle, name, create);
      await handle.close();
      handle = inner;
    }
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
  if (place === null) {
    await handle.close();
    return null;
  }
  const expected = path.join(place, ...names);
  const check = async () => {
    const isThere =
      (await readlink(descriptor(handle))) === expected &&
      isSameInode(await handle.stat(), await statOf(folder));
    if (!isThere) throw new MovedFolderError(folder);
  };
  return {
    entry: (name) => path.join(descriptor(handle), name),
    check,
    close: () => handle.close(),
  };
}

async function openWithin(handle: FileHandle, name: string, create: boolean): Promise<FileHandle> {
  const next = path.join(descriptor(handle), name);
  if (create) await createFolder(next);
  try {
    return await open(next, O_FOLDER);
  } catch (error) {
    throw (await statOf(next))?.isSymbolicLink() ? new MovedFolderError(name) : error;
  }
}

async function byName(
  root: string,
  folder: string,
  names: readonly string[],
  create: boolean,
): Promise<OpenFolder> {
  let place = root;
  for (const name of names) {
    place = path.join(place, name);
    if (create) await createFolder(place);
    if ((await lstat(place)).isSymbolicLink()) throw new MovedFolderError(folder);
  }
  const opened = await stat(folder);
  const check = async () => {
    if ((await realpath(folder)) !== folder || !isSameInode(opened, await statOf(folder)))
      throw new MovedFolderError(folder);
  };
  await check();
  return { entry: (name) => path.join(folder, name), check, close: async () => undefined };
}

async function createFolder(place: string): Promise<void> {
  await mkdir(place).catch((error) =>
    errorCode(error) === "EEXIST" ? undefined : Promise.reject(error),
  );
}

function descriptor({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

function statOf(place: string): Promise<Stats | null> {
  return lstat(place).catch(() => null);
}

function isSameInode(one: Stats, other: Stats | null): boolean {
  return other !== null && one.dev === other.dev && one.ino === other.ino;
}
