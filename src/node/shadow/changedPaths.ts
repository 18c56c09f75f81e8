import { lstat, readlink } from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { CommandPlace } from "../../ports/commands/process.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { contains } from "../processes/gitRepository.ts";
import { gitWaitsFor, repositoryFolders, rulesWaitFor } from "../processes/gitWaits.ts";
import { type IgnoredPaths, ignoredPaths, userRules } from "./ignoredPaths.ts";

/** The most changes that are looked at. */
const MOST_CHANGES = 5_000;
/** How deep folders are looked into: opening one safely opens all those above it. */
const MOST_DEPTH = 100;
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

/** Where nothing changed. */
export const NO_CHANGES: ChangedPaths = {
  written: [],
  gone: [],
  ignored: [],
  repository: false,
  truncated: false,
};

/** A file, link or folder in a folder. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** How a shadow differs from the user's folders. Folders are absolute paths as the user has them. */
export interface Differences {
  /**
   * What was written or made in a folder, with the folders that hold such, and what is gone from
   * it.
   */
  in(folder: string): Promise<{
    readonly changed: readonly FolderEntry[];
    readonly gone: readonly FolderEntry[];
  }>;
  /** The files and folders that were in a folder before; none where it is no folder. */
  before(folder: string): Promise<readonly FolderEntry[]>;
  /** The path under which this process finds what the shadow has at a path. */
  inside(path: string): string;
}

/**
 * Looks through what a shadow changed in these folders. What is ignored is not looked into. Git
 * runs in `place`. The problem is where git would wait, so that nobody knows what is ignored.
 */
export async function changedPaths(
  folders: readonly string[],
  differences: Differences,
  place: CommandPlace,
  git: string | null,
): Promise<Result<ChangedPaths, ShadowProblem>> {
  const inside = (at: string) => differences.inside(at);
  let problem: ShadowProblem | null = null;
  const written: string[] = [];
  const gone: string[] = [];
  const hidden: string[] = [];
  let repository = false;
  let isDeep = false;
  let rulesFile: string | null = null;
  const isFull = () => problem !== null || written.length + gone.length >= MOST_CHANGES;

  const depthOf = (at: string) => {
    const top = folders.find((folder) => contains(folder, at)) ?? "";
    return path.relative(top, at).split(path.sep).length;
  };
  const look = async (folder: string, ignored: IgnoredPaths, top: string) => {
    if (isFull()) return;
    const found = await differences.in(folder);
    const isGit = ({ name }: FolderEntry) => name === ".git";
    if (found.changed.some(isGit))
      repository ||= await changesRepository(differences, path.join(folder, ".git"));
    const changed = found.changed.filter((entry) => !isGit(entry));
    const all = [...changed, ...found.gone.filter((entry) => !isGit(entry))];
    const relative = all.map(({ name, isFolder }) => {
      const at = path.relative(top, path.join(folder, name)).replaceAll(path.sep, "/");
      return isFolder ? `${at}/` : at;
    });
    if (git !== null) problem = await rulesProblem([folder, ...foldersOf(folder, changed)], inside);
    const answers = problem ? [] : await ignored.areIgnored(relative);
    if (answers === null) problem = { code: "git-silent", detail: "", path: top };
    if (answers === null || problem) return;
    for (const [index, entry] of all.entries()) {
      const at = path.join(folder, entry.name);
      if (answers[index] && index < changed.length) hidden.push(at);
      if (answers[index] || isFull()) continue;
      if (index >= changed.length) gone.push(...(await filesBelow(differences, at, entry)));
      else if (!entry.isFolder) {
        written.push(at);
        // A file may have taken the place of a folder.
        for (const old of await under(differences, at)) gone.push(old);
      } else {
        if ((await lstat(at).catch(() => null))?.isDirectory() === false) gone.push(at);
        if (depthOf(at) > MOST_DEPTH) isDeep = true;
        else await enter(at, ignored, top);
      }
    }
  };
  const enter = async (folder: string, outer: IgnoredPaths, top: string) => {
    const own = differences.inside(path.join(folder, ".git"));
    if (!(await lstat(own).catch(() => null))) return look(folder, outer, top);
    const waiting = git && (await gitWaitsFor(folder, { git, inside }));
    if (waiting) {
      problem = { code: "git-waits", detail: "", path: waiting };
      return;
    }
    rulesFile ??= git && (await userRules(git, folder));
    const isTrusted = !(await linksRules(folder, inside));
    const rules = ignoredPaths(isTrusted ? git : null, folder, place, rulesFile ?? "");
    await look(folder, rules, folder).finally(() => rules.end());
  };
  const plain = ignoredPaths(null, "", place, "");
  for (const folder of folders) {
    if (await holdsRepository(differences, folder))
      repository ||= await changesRepository(differences, folder);
    else await enter(folder, plain, folder);
  }
  return problem
    ? err(problem)
    : ok({ written, gone, ignored: hidden, repository, truncated: isFull() || isDeep });
}

function foldersOf(folder: string, entries: readonly FolderEntry[]): readonly string[] {
  return entries.flatMap(({ name, isFolder }) => (isFolder ? [path.join(folder, name)] : []));
}

/**
 * True where a command made the repository's own rules a link: git would follow it out of the
 * sandbox, and what is ignored would tell what is in a file there.
 */
async function linksRules(folder: string, inside: Differences["inside"]): Promise<boolean> {
  const targetOf = (link: string) => readlink(link).catch(() => null);
  for (const each of await repositoryFolders(folder, inside)) {
    const rules = path.join(each, "info", "exclude");
    const target = await targetOf(inside(rules));
    if (target !== null && target !== (await targetOf(rules))) return true;
  }
  return false;
}

async function rulesProblem(
  folders: readonly string[],
  inside: Differences["inside"],
): Promise<ShadowProblem | null> {
  for (const folder of folders) {
    const waiting = await rulesWaitFor(folder, inside);
    if (waiting !== null) return { code: "git-waits", detail: "", path: waiting };
  }
  return null;
}

/** True for a repository's data without its files. */
async function holdsRepository(differences: Differences, folder: string): Promise<boolean> {
  const names = (await differences.before(folder)).map(({ name }) => name);
  return names.includes("HEAD") && names.includes("objects");
}

async function changesRepository(differences: Differences, folder: string): Promise<boolean> {
  const { changed, gone } = await differences.in(folder);
  return [...changed, ...gone].some(({ name }) => !LOOKING.test(name));
}

async function filesBelow(
  differences: Differences,
  place: string,
  { name, isFolder }: FolderEntry,
): Promise<string[]> {
  if (!isFolder) return [place];
  return name === "node_modules" ? [] : under(differences, place);
}

/** The files in a folder of the user; none where it is no folder. */
async function under(differences: Differences, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await differences.before(folder)) {
    if (found.length >= MOST_CHANGES) break;
    if (entry.name !== ".git")
      found.push(...(await filesBelow(differences, path.join(folder, entry.name), entry)));
  }
  return found;
}
