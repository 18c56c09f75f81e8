import type { Dirent, Stats } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { devNull, homedir } from "node:os";
import * as path from "node:path";
import { gitAnswer } from "./gitAnswer.ts";
import { gitReading } from "./gitProgram.ts";
import { readPlainText } from "./readPlain.ts";

/** The longest that git may take where nothing lets it wait, in milliseconds. */
export const MOST_GIT_MS = 60_000;
/** How many files with settings are asked for what they name. */
const MOST_SETTINGS = 500;
/** How many folders of a repository's data, and of its work tree, are looked through. */
const MOST_DATA_FOLDERS = 20_000;
const MOST_TREE_FOLDERS = 1_000;
/** How many links may follow each other, as in Linux. */
const MOST_LINKS = 40;
/** Settings that name a file, such as `include.path`, `mailmap.file` and `core.excludesFile`. */
const NAMING = "(path|file)$";
/** Files of a work tree that git reads as rules or as the way to a repository. */
const RULES = new Set([".git", ".gitattributes", ".gitignore", ".gitmodules", ".mailmap"]);
/** Data of other programs, which git does not read. */
const FOREIGN = new Set(["lfs", "annex"]);

/** How git sees a repository. */
export interface SeenRepository {
  /** The absolute path of git. */
  readonly git: string;
  /** The path under which this process finds what git finds at a path. */
  inside(path: string): string;
}

/**
 * A pipe or device for which git would wait in the repository at `top`: anywhere in its data, among
 * its rules, or where its settings lead. Null for none.
 */
export async function gitWaitsFor(top: string, seen: SeenRepository): Promise<string | null> {
  const { inside } = seen;
  const folders = await repositoryFolders(top, inside);
  const found =
    (await firstWaiting(
      [...RULES].map((name) => path.join(top, name)),
      inside,
    )) ?? (await waitingBelow(folders.map(dataFolder), MOST_DATA_FOLDERS, inside));
  if (found !== null) return found;
  const settings = folders.flatMap((each) =>
    ["config", "config.worktree"].map((name) => path.join(each, name)),
  );
  for (const file of settings) {
    const { files, included } = await namedIn(file, top, seen);
    const waiting = await firstWaiting(files, inside);
    if (waiting !== null) return waiting;
    if (settings.length < MOST_SETTINGS)
      settings.push(...included.filter((each) => !settings.includes(each)));
  }
  return null;
}

/**
 * A pipe or device in the work tree at `top` that git would wait for on its way through it: rules of
 * a folder, or a nested repository. Null for none in the uppermost `most` folders.
 */
export function treeWaitsFor(top: string, most = MOST_TREE_FOLDERS): Promise<string | null> {
  return waitingBelow([{ place: top, isData: false }], most, (place) => place);
}

/** The file of rules in a folder for which git would wait, or null. */
export function rulesWaitFor(
  folder: string,
  inside: SeenRepository["inside"],
): Promise<string | null> {
  return firstWaiting([path.join(folder, ".gitignore")], inside);
}

/** Where a repository keeps its data; a work tree has some of its own and shares the rest. */
export async function repositoryFolders(
  top: string,
  inside: SeenRepository["inside"] = (place) => place,
): Promise<readonly string[]> {
  const entry = path.join(top, ".git");
  const named = await readPlainText(inside(entry));
  const own =
    named === null ? entry : path.resolve(top, /^gitdir: (.*)$/m.exec(named)?.[1] ?? ".git");
  const shared = await readPlainText(inside(path.join(own, "commondir")));
  return [own, ...(shared === null ? [] : [path.resolve(own, shared.replace(/[\r\n]+$/, ""))])];
}

/** The files that settings name, without looking into those that they include. */
async function namedIn(
  file: string,
  top: string,
  { git, inside }: SeenRepository,
): Promise<{ readonly files: readonly string[]; readonly included: readonly string[] }> {
  const text = await readPlainText(inside(file));
  // A name cannot be written otherwise. https://git-scm.com/docs/git-config#_syntax
  if (text === null || !/(?:path|file)[ \t]*\r?(?:[=\n]|$)/i.test(text))
    return { files: [], included: [] };
  const args = ["config", "--file", inside(file), "--no-includes", "-z", "--get-regexp", NAMING];
  // Elsewhere: it would look for a repository where it starts.
  const said = await gitAnswer(gitReading({ git, args, cwd: path.parse(top).root }), MOST_GIT_MS);
  const named = (said ?? "").split("\0").flatMap((line) => {
    const end = line.indexOf("\n");
    if (end < 0) return [];
    const isInclude = line.startsWith("include");
    const base = isInclude ? path.dirname(file) : top;
    // A user's home by name is that of this user, else it is nothing of the repository.
    const value = line
      .slice(end + 1)
      .replace(/^:\(optional\)/, "")
      .replace(/^~[^/]*/, homedir());
    return [{ isInclude, file: path.resolve(base, value) }];
  });
  return {
    files: named.map((each) => each.file),
    included: named.flatMap((each) => (each.isInclude ? [each.file] : [])),
  };
}

/** A folder to look through: of a repository's data, where all counts, or of a work tree. */
interface Looked {
  readonly place: string;
  readonly isData: boolean;
  /** Where a link led here: only the folder itself is looked at, so that no links go in circles. */
  readonly isLinked?: true;
}

function dataFolder(place: string): Looked {
  return { place, isData: true };
}

/**
 * The first pipe or device in or below the folders, uppermost first. Opens nothing. Folders of
 * Windows have none.
 */
async function waitingBelow(
  folders: readonly Looked[],
  most: number,
  inside: SeenRepository["inside"],
): Promise<string | null> {
  if (process.platform === "win32") return null;
  const roots = new Set(folders.map(({ place }) => place));
  for (let open = folders, left = most; open.length > 0; ) {
    left -= open.length;
    const read = await Promise.all(open.map((folder) => look(folder, roots, inside)));
    const waiting = read.find((each) => each.waiting !== null)?.waiting;
    if (waiting) return waiting;
    open = read.flatMap(({ below }) => below).slice(0, Math.max(0, left));
  }
  return null;
}

async function look(
  { place: folder, isData, isLinked }: Looked,
  roots: ReadonlySet<string>,
  inside: SeenRepository["inside"],
): Promise<{ readonly waiting: string | null; readonly below: readonly Looked[] }> {
  const below: Looked[] = [];
  const entries = await readdir(inside(folder), { withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    // Most of what a repository has; joining its paths would take most of the time.
    if (entry.isFile() && (isData || entry.name !== ".git")) continue;
    // Looked at as the data of the repository itself.
    if (!isData && roots.has(folder) && entry.name === ".git") continue;
    const place = path.join(folder, entry.name);
    const counts = isData || RULES.has(entry.name);
    if (counts && isWaiting(entry)) return { waiting: place, below };
    if (entry.isDirectory() && !isLinked) {
      const isForeign = isData && roots.has(folder) && FOREIGN.has(entry.name);
      if (!isForeign) below.push({ place, isData: isData || entry.name === ".git" });
    } else if (counts && entry.isSymbolicLink()) {
      const end = await linkEnd(place, inside);
      if (end && isWaiting(end.stats)) return { waiting: place, below };
      if (isData && !isLinked && end?.stats.isDirectory())
        below.push({ place: end.place, isData, isLinked: true });
    } else if (!isData && entry.name === ".git")
      below.push(...(await repositoryFolders(folder, inside)).map(dataFolder));
  }
  return { waiting: null, below };
}

async function firstWaiting(
  files: readonly string[],
  inside: SeenRepository["inside"],
): Promise<string | null> {
  for (const file of files) {
    const end = await linkEnd(file, inside);
    if (end && isWaiting(end.stats)) return file;
  }
  return null;
}

/**
 * Where links lead as git sees them: the system would follow them as this process sees them. Null
 * for nothing, and for the device that is always empty.
 */
async function linkEnd(
  link: string,
  inside: SeenRepository["inside"],
): Promise<{ readonly place: string; readonly stats: Stats } | null> {
  let place = link;
  for (let links = 0; links < MOST_LINKS; links++) {
    const stats = place === devNull ? null : await lstat(inside(place)).catch(() => null);
    if (!stats?.isSymbolicLink()) return stats && { place, stats };
    const target = await readlink(inside(place)).catch(() => null);
    if (target === null) return null;
    place = path.resolve(path.dirname(place), target);
  }
  return null;
}

/** Opening a socket fails at once, as git's own monitor has one. */
function isWaiting(entry: Stats | Dirent): boolean {
  return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
}
