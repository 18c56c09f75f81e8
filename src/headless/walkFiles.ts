import { readdir } from "node:fs/promises";
import * as path from "node:path";
import { type IgnoreRules, readIgnoreRules } from "./ignoreRules.ts";

/** The files under `root`, which has no symlinks left, in the order of their paths (`/` between segments). Symlinks and ignored files are passed over. */
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
