import { readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Ignore } from "ignore";
import { boundedIgnore } from "../base/boundedIgnore.ts";

/** The ignore files that hold for a folder: its own, and those of the folders above it up to the root. */
export interface IgnoreRules {
  /** Whether `name`, an entry of this folder, is ignored. */
  ignores(name: string, isDirectory: boolean): boolean;
  /** The rules inside the subfolder `name`, whose own ignore files are read. */
  enter(name: string): Promise<IgnoreRules>;
}

interface Level {
  readonly rules: Pick<Ignore, "test">;
  /** From this level's folder to the current one, `/` after each segment. */
  readonly prefix: string;
}

/** Reads the rules of the root folder: `.gitignore`, `.ignore`, `.git/info/exclude`. Version control's own folders and `node_modules` are always ignored. */
export async function readIgnoreRules(root: string): Promise<IgnoreRules> {
  const exclude = await readRules([path.join(root, ".git", "info", "exclude")]);
  return rulesAt(root, [...exclude, ...(await readRules(ignoreFiles(root)))]);
}

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
