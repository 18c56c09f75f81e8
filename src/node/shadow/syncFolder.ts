import { constants, type Stats } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import { setImmediate as immediately } from "node:timers/promises";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { changeMode } from "../files/openFolder.ts";
import type { OpenFolders } from "../files/openFolders.ts";
import { removeTree } from "../files/removeTree.ts";
import { isLeading, outsideProblem, pointerText, repositoryData } from "./copiedRepositories.ts";
import { type CopyLayout, copiedTarget } from "./copyLayout.ts";
import {
  type CopyManifest,
  copyStep,
  isFolderMark,
  type Mark,
  type MarkPair,
  markOf,
  NOTHING,
} from "./copyManifest.ts";
import type { FileTree } from "./fileTree.ts";

/** How many files are copied together, and how far two clocks of file systems may be apart. */
const TOGETHER = 16;
const CLOCK_MS = 2_000;
/** How many marks are compared before the host may do something else. */
const AT_ONCE = 2_000;
const isWindows = process.platform === "win32";
/** The permissions of a folder in which its owner can work; Windows knows one of them. */
const OPEN = isWindows ? 0o200 : 0o700;

/** A folder, its copy, and what both had when they were last made the same. */
export interface CopiedFolder {
  readonly folder: string;
  readonly copy: string;
  readonly manifest: CopyManifest;
  /** The copy, whatever commands put at its path. */
  readonly opened: OpenFolders;
}

/** What the work on a folder needs and tells. */
export interface SyncWork {
  readonly layout: CopyLayout;
  readonly signal: AbortSignal;
  /** The time of the copies' file system as it began. */
  readonly since: number;
  /** A new path on that file system, outside of the copies. */
  scratch(): string;
  isKept(place: string): boolean;
  /** Hears, before it happens, that git may look elsewhere from now on. */
  led(): void;
  copied(bytes: number): void;
}

/** What the work on a folder found out. */
export interface Synced {
  /** The latest time of a file that was made, by the copies' file system. */
  readonly newest: number;
  readonly problem: ShadowProblem | null;
}

/** Makes a copy like the folder, apart from what is kept. Rejects where a file cannot be written. */
export async function syncFolder(
  { folder, opened: copy, manifest }: CopiedFolder,
  source: FileTree,
  own: FileTree,
  work: SyncWork,
): Promise<Synced> {
  const now = (name: string): MarkPair => ({
    source: source.marks.get(name) ?? "",
    copy: own.marks.get(name) ?? "",
  });
  const makes: string[] = [];
  const removes: string[] = [];
  let looked = 0;
  for (const name of new Set([...source.marks.keys(), ...own.marks.keys()])) {
    if (++looked % AT_ONCE === 0) await immediately();
    const last = manifest.get(name) ?? NOTHING;
    const isKept = now(name).copy !== last.copy && work.isKept(path.join(folder, name));
    const step = copyStep(now(name), last, isKept);
    if (step === "make") makes.push(name);
    if (step === "remove") removes.push(name);
  }
  for (const name of manifest.keys())
    if (!source.marks.has(name) && !own.marks.has(name)) manifest.delete(name);

  const closed = await openParents(copy, [...makes, ...removes], own);
  await removeAll(copy, removes, own);
  for (const name of removes) manifest.delete(name);

  const isData = repositoryData(folder, source.marks);
  const folders = makes.filter((name) => isFolderMark(now(name).source));
  for (const name of folders) await makeFolder(copy, name, now(name).copy);
  let [newest, next] = [0, 0];
  let problem: ShadowProblem | null = null;
  const rest = makes.filter((name) => !isFolderMark(now(name).source));
  const makeSome = async () => {
    for (let name = rest[next++]; name !== undefined; name = rest[next++]) {
      work.signal.throwIfAborted();
      const isGit = isData(name);
      if (isGit && isLeading(name)) work.led();
      const made = await makeEntry(folder, copy, name, now(name).copy, isGit, work);
      problem ??= made.problem ?? null;
      if (made.pair) manifest.set(name, made.pair);
      else manifest.delete(name);
      newest = Math.max(newest, made.stats?.ctimeMs ?? 0);
      work.copied(made.stats?.size ?? 0);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, makeSome));
  for (const name of [...new Set([...folders, ...closed])].toReversed())
    await closeFolder(folder, copy, name, now(name).source, manifest);
  return { newest, problem };
}

/** Opens the folders in which something changes; gives those that were not open. */
async function openParents(
  copy: OpenFolders,
  names: readonly string[],
  own: FileTree,
): Promise<readonly string[]> {
  const closed: string[] = [];
  for (const name of new Set(names.map((each) => path.dirname(each)))) {
    const mark = own.marks.get(name) ?? "";
    if (!isFolderMark(mark) || (modeOf(mark) & OPEN) === OPEN) continue;
    closed.push(name);
    await copy.within(name, (entry) => changeMode(entry, OPEN));
  }
  return closed;
}

function modeOf(mark: Mark): number {
  return Number(mark.slice(mark.indexOf(" ") + 1));
}

async function removeAll(
  copy: OpenFolders,
  names: readonly string[],
  own: FileTree,
): Promise<void> {
  const isFolder = (name: string) => isFolderMark(own.marks.get(name) ?? "");
  for (const name of names)
    if (!isFolder(name)) await copy.within(name, (entry) => rm(entry, { force: true }));
  // What is kept in such a folder keeps it.
  for (const name of names.filter(isFolder).toSorted((a, b) => b.length - a.length))
    await copy.within(name, rmdir).catch(() => undefined);
}

async function makeFolder(copy: OpenFolders, name: string, before: Mark): Promise<void> {
  if (isFolderMark(before)) return;
  await copy.within(name, async (entry) => {
    if (before !== "") await removeTree(entry);
    await mkdir(entry, { mode: 0o700 });
  });
}

async function closeFolder(
  folder: string,
  copy: OpenFolders,
  name: string,
  mark: Mark,
  manifest: CopyManifest,
): Promise<void> {
  const from = path.join(folder, name);
  const mode = isFolderMark(mark) ? modeOf(mark) : (await stat(from).catch(() => null))?.mode;
  const close = async (entry: string) => {
    if (mode !== undefined) await changeMode(entry, mode & 0o7777).catch(() => undefined);
    return lstat(entry);
  };
  const stats = await copy.within(name, close).catch(() => null);
  if (stats && mark !== "") manifest.set(name, { source: mark, copy: markOf(stats) });
}

/** What became of a file; no `pair` for one that is gone meanwhile. */
interface MadeEntry {
  readonly pair?: MarkPair;
  readonly stats?: Stats;
  readonly problem?: ShadowProblem;
}

function makeEntry(
  folder: string,
  copy: OpenFolders,
  name: string,
  before: Mark,
  isGit: boolean,
  work: SyncWork,
): Promise<MadeEntry> {
  const from = path.join(folder, name);
  return copy.within(name, (entry) => makeAt(from, entry, before, isGit, work));
}

async function makeAt(
  from: string,
  to: string,
  before: Mark,
  isGit: boolean,
  work: SyncWork,
): Promise<MadeEntry> {
  if (isFolderMark(before)) await removeTree(to);
  const stats = await lstat(from).catch(() => null);
  // A program of git that runs now would seem to run in the copy for ever.
  if (stats === null || (isGit && from.endsWith(".lock"))) return {};
  // What changed just now may change again at the same time.
  const source = stats.ctimeMs < work.since - CLOCK_MS ? markOf(stats) : "";
  const linked = stats.isSymbolicLink();
  const made = linked
    ? await makeLink(from, to, isGit, work.layout)
    : await makeFile(from, to, stats, before, isGit, work);
  if (made !== null) return { problem: made };
  const own = await lstat(to).catch(() => null);
  return {
    pair: { source, copy: own ? markOf(own) : "" },
    ...(own && { stats: own }),
  };
}

/** The problem of a link by which git would write elsewhere, or null. */
async function makeLink(
  from: string,
  to: string,
  isGit: boolean,
  layout: CopyLayout,
): Promise<ShadowProblem | null> {
  const { target, isOutside } = await copiedTarget(from, await readlink(from), layout);
  if (isOutside && isGit) return outsideProblem(from, target);
  await rm(to, { force: true });
  const isFolder = (await stat(from).catch(() => null))?.isDirectory() === true;
  if (!isWindows) await symlink(target, to);
  else {
    // Only a junction needs no permission there, and it needs an absolute path.
    const full = path.resolve(path.dirname(to), target);
    await symlink(isFolder ? full : target, to, isFolder ? "junction" : "file").catch(
      () => undefined,
    );
  }
  return null;
}

async function makeFile(
  from: string,
  to: string,
  stats: Stats,
  before: Mark,
  isGit: boolean,
  { layout, scratch }: SyncWork,
): Promise<ShadowProblem | null> {
  if (isGit && path.basename(from) === "alternates" && stats.size > 0)
    return outsideProblem(from, "alternates");
  const text = isGit ? await pointerText(from, layout) : undefined;
  if (text === null) {
    await rm(to, { force: true });
    return null;
  }
  // Beside first: what runs there never finds half a file, and no link is followed.
  const beside = before === "" ? to : scratch();
  try {
    if (text !== undefined) await writeFile(beside, text, { flag: "wx" });
    else await copyFile(from, beside, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await utimes(beside, stats.atimeMs / 1000, stats.mtimeMs / 1000);
    // Windows replaces no file that is read-only.
    if (beside !== to && isWindows) await rm(to, { force: true });
    if (beside !== to) await rename(beside, to);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    // What the user may not read, or another program has locked, commands could not read either.
    const opened = await open(from, "r").catch(() => null);
    await opened?.close();
    if (opened !== null) throw error;
    await rm(to, { force: true });
  }
  return null;
}
