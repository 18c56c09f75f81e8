import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import * as path from "node:path";
import { type IgnoredPaths, ignoredPaths } from "./ignoredPaths.ts";
import type { OverlayLayer, OverlayMount } from "./overlayMount.ts";

/** The most changes that are looked at. */
const MOST_CHANGES = 5_000;
/** What git writes into a repository only to read it. */
const LOOKING = /^(?:index|index\.lock)$/;

/** The paths at which a shadow differs from the folders below it, as git would show them. */
export interface ChangedPaths {
  /** Absolute paths of files and links that were written, or are gone. */
  readonly written: readonly string[];
  readonly gone: readonly string[];
  /** Ignored files and folders that the shadow has of its own; not what is in such a folder. */
  readonly ignored: readonly string[];
  readonly repository: boolean;
  readonly truncated: boolean;
}

/**
 * Looks through what a mounted shadow changed: its cost depends on that, not on the size of the
 * folders. What is ignored is not looked into.
 */
export async function changedPaths(
  layers: readonly OverlayLayer[],
  mount: OverlayMount,
  git: string | null,
): Promise<ChangedPaths> {
  const written: string[] = [];
  const gone: string[] = [];
  const hidden: string[] = [];
  let repository = false;
  const isFull = () => written.length + gone.length >= MOST_CHANGES;

  const look = async (layer: OverlayLayer, at: string, ignored: IgnoredPaths, top: string) => {
    if (isFull()) return;
    const below = path.join(layer.folder, at);
    const entries = (await entriesOf(path.join(layer.upper, at))) ?? [];
    const names = new Set((await entriesOf(mount.inside(below)))?.map(({ name }) => name));
    const lost = ((await entriesOf(below)) ?? []).filter(
      ({ name }) => !names.has(name) && name !== ".git",
    );
    const changed = entries.filter(({ name }) => name !== ".git" && names.has(name));
    if (entries.some(({ name }) => name === ".git"))
      repository ||= await changesRepository(path.join(layer.upper, at, ".git"));
    const all = [...changed, ...lost];
    const relative = all.map((entry) => {
      const place = path.relative(top, path.join(below, entry.name));
      return entry.isDirectory() ? `${place}/` : place;
    });
    const answers = await ignored.areIgnored(relative);
    for (const [index, entry] of all.entries()) {
      const name = path.join(at, entry.name);
      const place = path.join(layer.folder, name);
      if (answers[index] && index < changed.length) hidden.push(place);
      if (answers[index] || isFull()) continue;
      if (index >= changed.length) gone.push(...(await filesIn(place, entry)));
      else if (!entry.isDirectory()) {
        written.push(place);
        // A file may have taken the place of a folder.
        for (const old of await under(place)) gone.push(old);
      } else {
        if ((await lstat(place).catch(() => null))?.isDirectory() === false) gone.push(place);
        await enter(layer, name, ignored, top);
      }
    }
  };
  const enter = async (layer: OverlayLayer, at: string, outer: IgnoredPaths, top: string) => {
    const folder = path.join(layer.folder, at);
    if (!(await lstat(mount.inside(path.join(folder, ".git"))).catch(() => null)))
      return look(layer, at, outer, top);
    const own = ignoredPaths(git, folder, mount);
    await look(layer, at, own, folder).finally(() => own.end());
  };
  const plain = ignoredPaths(null, "", mount);
  for (const layer of layers) {
    if (await holdsRepository(layer.folder)) repository ||= await changesRepository(layer.upper);
    else await enter(layer, "", plain, layer.folder);
  }
  return { written, gone, ignored: hidden, repository, truncated: isFull() };
}

async function entriesOf(folder: string): Promise<Dirent[] | null> {
  return readdir(folder, { withFileTypes: true }).catch(() => null);
}

/** True for a repository's data without its files. */
async function holdsRepository(folder: string): Promise<boolean> {
  const names = (await entriesOf(folder))?.map(({ name }) => name) ?? [];
  return names.includes("HEAD") && names.includes("objects");
}

async function changesRepository(upper: string): Promise<boolean> {
  return ((await entriesOf(upper)) ?? []).some(({ name }) => !LOOKING.test(name));
}

async function filesIn(place: string, entry: Dirent): Promise<string[]> {
  if (!entry.isDirectory()) return [place];
  return entry.name === "node_modules" ? [] : under(place);
}

/** The files in a folder of the user; none where it is no folder. */
async function under(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of (await entriesOf(folder)) ?? []) {
    if (found.length >= MOST_CHANGES) break;
    if (entry.name !== ".git") found.push(...(await filesIn(path.join(folder, entry.name), entry)));
  }
  return found;
}
