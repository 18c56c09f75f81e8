import type { Stats } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { contains, isRepositoryData } from "../processes/gitRepository.ts";
import { repositoryFolders } from "../processes/gitWaits.ts";
import { readPlainText } from "../processes/readPlain.ts";

/** `core.worktree` as git writes it: https://git-scm.com/docs/git-config#_syntax */
const WORK_TREE = /^[ \t]*(?:\[core\][ \t]*)?worktree[ \t]*=(.*)$/gim;

/** Absolute paths of folders without links on their way, none in another. */
export interface ShadowFolders {
  readonly folders: readonly string[];
  /** A path without the links by which the workspace is opened, and with them. */
  real(place: string): string;
  spelled(place: string): string;
}

/**
 * The folders that a shadow of these workspace folders shows with changes. Each workspace folder is
 * among them or in one: with its repository around it and that one's data, since commands of git
 * change these, too.
 */
export async function shadowFolders(workspace: readonly string[]): Promise<ShadowFolders> {
  const home = await realpath(os.homedir()).catch(() => os.homedir());
  const wanted = new Set<string>();
  const links: { readonly spelled: string; readonly real: string }[] = [];
  for (const folder of workspace) {
    const real = await realpath(folder).catch(() => null);
    if (real === null) continue;
    if (real !== folder) links.push({ spelled: folder, real });
    const top = await repositoryAround(real);
    // A repository of the user's whole home would hide what programs keep there.
    wanted.add(top === null || contains(top, home) ? real : top);
    if (top !== null) for (const data of await dataFolders(top)) wanted.add(data);
  }
  const all = [...wanted];
  const between = (place: string, from: "spelled" | "real", to: "spelled" | "real") => {
    const link = links.find((each) => contains(each[from], place));
    return link ? path.join(link[to], path.relative(link[from], place)) : place;
  };
  return {
    folders: all.filter(
      (folder) => !all.some((other) => other !== folder && contains(other, folder)),
    ),
    real: (place) => between(place, "spelled", "real"),
    spelled: (place) => between(place, "real", "spelled"),
  };
}

/** The repository of a folder, unless it lies above and another user could have put it there. */
async function repositoryAround(folder: string): Promise<string | null> {
  for (let place = folder; ; place = path.dirname(place)) {
    const found = await lstat(path.join(place, ".git")).catch(() => null);
    if (found) return place === folder || (await isUsers(place, found)) ? place : null;
    if (path.dirname(place) === place) return null;
  }
}

/** Whether git would take a repository for the user's own: its folder and its `.git` are. */
async function isUsers(place: string, git: Stats): Promise<boolean> {
  const user = process.getuid?.();
  return user === undefined || [git, await lstat(place)].every(({ uid }) => uid === user);
}

/**
 * Where the repository of a work tree has its data. A file of the work tree says so, and anybody may
 * have written it: a folder elsewhere counts only where it names the work tree in turn.
 */
async function dataFolders(top: string): Promise<readonly string[]> {
  const entry = path.join(top, ".git");
  const all = await repositoryFolders(top);
  // A link as `.git` is none of git's own ways to lead elsewhere, and is not followed.
  if (all[0] === entry) return [entry];
  const [own, common] = await Promise.all(all.map(realOrNull));
  if (!own) return [];
  if (all.length === 1) return (await isData(own)) && (await isWorkTreeOf(own, top)) ? [own] : [];
  if (!common || path.dirname(own) !== path.join(common, "worktrees")) return [];
  const named = (await readPlainText(path.join(own, "gitdir"))) ?? "";
  const isNamed = (await realOrNull(path.resolve(own, named.replace(/[\r\n]+$/, "")))) === entry;
  return isNamed && (await isData(common)) ? [own, common] : [];
}

/** Whether the settings of a submodule's repository name this work tree. */
async function isWorkTreeOf(data: string, top: string): Promise<boolean> {
  for (const file of ["config", "config.worktree"]) {
    const text = (await readPlainText(path.join(data, file))) ?? "";
    const value = [...text.matchAll(WORK_TREE)].at(-1)?.[1];
    if (value === undefined) continue;
    const named = value
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replace(/\\(["\\])/g, "$1");
    if ((await realOrNull(path.resolve(data, named))) === top) return true;
  }
  return false;
}

async function isData(folder: string): Promise<boolean> {
  return isRepositoryData(await readdir(folder).catch(() => []));
}

function realOrNull(place: string): Promise<string | null> {
  return realpath(place).catch(() => null);
}
