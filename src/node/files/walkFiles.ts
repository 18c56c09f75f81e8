import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Ignore } from "ignore";
import { boundedIgnore } from "../../base/boundedIgnore.ts";

/** The files under `root`, a real path, in the order of their paths (`/` between segments), without symlinks and ignored files. */
export async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(root, "", await readIgnoreRules(root), signal);
}

async function* walk(root: string, folder: string, rules: IgnoreRules, signal: AbortSignal): AsyncGenerator<string> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (signal.aborted) return;
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (rules.ignores(entry.name, entry.isDirectory())) continue;
    if (entry.isDirectory()) yield* walk(root, name, await rules.enter(entry.name), signal);
    else if (entry.isFile()) yield name;
  }
}

/** The ignore rules of a folder: those of its own ignore files and of the folders above it. */
interface IgnoreRules {
  /** Whether `name`, an entry of this folder, is ignored. */
  ignores(name: string, isDirectory: boolean): boolean;
  /** The rules of the subfolder `name`. */
  enter(name: string): Promise<IgnoreRules>;
}

interface Level {
  readonly rules: Pick<Ignore, "test">;
  /** From this level's folder to the current one, `/` after each segment. */
  readonly prefix: string;
}

/** Reads the rules of the root folder from `.gitignore`, `.ignore` and `.git/info/exclude`. */
async function readIgnoreRules(root: string): Promise<IgnoreRules> {
  const exclude = await readRules([path.join(root, ".git", "info", "exclude")]);
  return rulesAt(root, [...exclude, ...(await readRules(ignoreFiles(root)))]);
}

/** Always ignored. */
const ALWAYS = new Set([".git", ".hg", ".svn", "node_modules"]);

function rulesAt(folder: string, levels: readonly Level[]): IgnoreRules {
  return {
    ignores(name, isDirectory) {
      if (ALWAYS.has(name)) return true;
      const entry = isDirectory ? `${name}/` : name;
      // The nearest folder with an opinion wins, as in git.
      for (const level of levels.toReversed()) {
        const { ignored, unignored } = level.rules.test(level.prefix + entry);
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    async enter(name) {
      const inside = path.join(folder, name);
      const above = levels.map(({ rules, prefix }) => ({ rules, prefix: `${prefix}${name}/` }));
      return rulesAt(inside, [...above, ...(await readRules(ignoreFiles(inside)))]);
    },
  };
}

function ignoreFiles(folder: string): readonly string[] {
  return [path.join(folder, ".gitignore"), path.join(folder, ".ignore")];
}

async function readRules(files: readonly string[]): Promise<readonly Level[]> {
  const levels: Level[] = [];
  for (const file of files) {
    const text = await readFile(file, "utf8").catch(() => null);
    if (text !== null) levels.push({ rules: boundedIgnore(text.split(/\r?\n/)), prefix: "" });
  }
  return levels;
}
