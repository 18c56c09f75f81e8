import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import * as path from "node:path";
import { gitAnswer } from "./gitAnswer.ts";
import { gitReading } from "./gitProgram.ts";
import { readPlainText } from "./readPlain.ts";

/** The longest that git may take where nothing lets it wait, in milliseconds. */
export const MOST_GIT_MS = 60_000;
/** How many files settings may include. */
const MOST_SETTINGS = 50;
/** Settings that name further files for git to read. */
const NAMING = /^(?:include\.path|includeif\..*\.path|core\.(?:excludesfile|attributesfile))$/s;
/** Folders of a repository's data with files that git reads before anything else. */
const READ_FIRST = ["", "info", "objects/info"];

/** How git sees a repository. */
export interface SeenRepository {
  /** The absolute path of git. */
  readonly git: string;
  /** The path under which this process finds what git finds at a path. */
  inside(path: string): string;
}

/**
 * A pipe or device for which git would wait in the repository at `top`, among its data and what its
 * settings name. Null for none.
 */
export async function gitWaitsFor(top: string, seen: SeenRepository): Promise<string | null> {
  const { inside } = seen;
  const entry = path.join(top, ".git");
  const folders = await repositoryFolders(top, inside);
  const named = [entry, ...RULES.map((name) => path.join(top, name))];
  for (const folder of folders)
    for (const part of READ_FIRST) {
      const names = await readdir(inside(path.join(folder, part))).catch(() => []);
      named.push(...names.map((name) => path.join(folder, part, name)));
    }
  const found = await firstWaiting(named, inside);
  if (found !== null) return found;
  const settings = folders.flatMap((each) =>
    ["config", "config.worktree"].map((name) => path.join(each, name)),
  );
  for (const file of settings) {
    if (settings.length > MOST_SETTINGS) break;
    const { files, included } = await namedIn(file, top, seen);
    const waiting = await firstWaiting(files, inside);
    if (waiting !== null) return waiting;
    settings.push(...included.filter((each) => !settings.includes(each)));
  }
  return null;
}

const RULES = [".gitignore", ".gitattributes"];

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
  // These words cannot be written otherwise. https://git-scm.com/docs/git-config#_syntax
  if (text === null || !/include|sfile/i.test(text)) return { files: [], included: [] };
  const keys = ["--get-regexp", "path$|file$"];
  const args = ["config", "--file", inside(file), "--no-includes", "--path", "-z", ...keys];
  // Elsewhere: it would look for a repository where it starts.
  const said = await gitAnswer(gitReading({ git, args, cwd: path.parse(top).root }), MOST_GIT_MS);
  const named = (said ?? "").split("\0").flatMap((line) => {
    const end = line.indexOf("\n");
    const isInclude = line.startsWith("include");
    const base = isInclude ? path.dirname(file) : top;
    return NAMING.test(line.slice(0, end))
      ? [{ isInclude, file: path.resolve(base, line.slice(end + 1)) }]
      : [];
  });
  return {
    files: named.map((each) => each.file),
    included: named.flatMap((each) => (each.isInclude ? [each.file] : [])),
  };
}

async function firstWaiting(
  files: readonly string[],
  inside: SeenRepository["inside"],
): Promise<string | null> {
  for (const file of files) {
    const stats = await stat(inside(file)).catch(() => null);
    if (stats && isWaiting(stats)) return file;
  }
  return null;
}

/** Opening a socket fails at once, as git's own monitor has one. */
function isWaiting(stats: Stats): boolean {
  return stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice();
}
