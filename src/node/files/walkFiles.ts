import { readdir } from "node:fs/promises";
import * as path from "node:path";
import type { Ignore } from "ignore";
import { boundedIgnore } from "../../base/boundedIgnore.ts";
import { readPlainText } from "../processes/readPlain.ts";

/** The rules of one ignore file. */
interface IgnoreLevel {
  readonly rules: Pick<Ignore, "test">;
  /** The folder of the rules with a trailing `/`, or "" for the root. */
  readonly folder: string;
}

/**
 * The files under `root`, a real path, in path order with `/` separators. Skips symlinks and
 * ignored files.
 */
export async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(root, "", await readLevels(root, "", [".git/info/exclude"]), signal);
}

/**
 * `folder` is relative to `root`, with a trailing `/`. `above` holds the rules of its parent
 * folders, nearest last.
 */
async function* walk(
  root: string,
  folder: string,
  above: readonly IgnoreLevel[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const levels = [...above, ...(await readLevels(root, folder, [".gitignore", ".ignore"]))];
  const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (signal.aborted) return;
    const file = folder + entry.name;
    if (
      ALWAYS_IGNORED.has(entry.name) ||
      isIgnored(entry.isDirectory() ? `${file}/` : file, levels)
    )
      continue;
    if (entry.isDirectory()) yield* walk(root, `${file}/`, levels, signal);
    else if (entry.isFile()) yield file;
  }
}

const ALWAYS_IGNORED = new Set([".git", ".hg", ".svn", "node_modules"]);

/** The nearest folder with a matching rule wins, as in git. */
function isIgnored(file: string, levels: readonly IgnoreLevel[]): boolean {
  for (const { rules, folder } of levels.toReversed()) {
    const { ignored, unignored } = rules.test(file.slice(folder.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function readLevels(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<readonly IgnoreLevel[]> {
  const levels: IgnoreLevel[] = [];
  for (const name of names) {
    const text = await readPlainText(path.join(root, folder, name));
    if (text !== null) levels.push({ rules: boundedIgnore(text.split(/\r?\n/)), folder });
  }
  return levels;
}
