import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import * as path from "node:path";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { contains, isRepositoryData } from "../processes/gitRepository.ts";

/** Folders of packages, whose files are everybody's. */
const PASSED = new Set(["node_modules", "site-packages"]);
/** Where version control keeps addresses, which may hold passwords; it does without them. */
const SETTINGS = /^[.#]*(?:config|hgrc)(?:[._~#-]|$)/;
/** Folders of a repository whose files are addresses, of remotes as git had them before settings. */
const ADDRESSES = new Set(["remotes", "branches"]);
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);
/** What of a repository is not looked at: https://git-scm.com/docs/gitrepository-layout */
const CONTENT = new Set(["objects", "refs", "logs", "hooks", "lfs", "annex"]);
/** All of version control would count, but commands need most of it. */
const IN_VERSION_CONTROL = /^.*(?<=^|\/)\.(?:git|hg|svn)\//;
/** Stands for any file of a folder that is no secret by its own name. */
const PROBE = "x.ts";

/**
 * Finds files with keys, and remembers how it judged a path. Paths are absolute, and each of their
 * characters is a byte: names need not be UTF-8.
 */
export class KeyFiles {
  private readonly judged = new Map<string, boolean>();

  /**
   * All files and folders that may hold keys in a folder: of programs, of the workspace or of its
   * repositories' data, one of `folders`.
   */
  async in(folder: string, folders: readonly string[]): Promise<readonly string[]> {
    const root = bytesOf(folder);
    const within = folders.map(bytesOf);
    const found: (string | null)[] = [];
    const first: LookedFolder = { name: "", base: path.posix.basename(root), part: "files" };
    for (let open = [first]; open.length > 0; ) {
      const read = await Promise.all(open.map((each) => partsIn(root, each)));
      open = [];
      for (const { part: around, entries } of read) {
        for (const entry of entries) {
          const { name, base, kind } = entry;
          const place = `${root}/${name}`;
          const part = this.partOf(entry, around);
          if (part === "key")
            found.push(kind === "link" ? await this.targetOf(place, within) : place);
          else if (part !== null) open.push({ name, base, part });
        }
      }
    }
    return found.flatMap((each) => each ?? []);
  }

  /** What an entry is by its name and the folder around it; null for what is not looked at. */
  private partOf({ name, base, kind }: FoundEntry, around: Part): Part | "key" | null {
    const isFolder = kind === "folder";
    if (VERSION_CONTROL.has(base)) return isFolder ? "data" : null;
    if (around === "files") {
      if (isFolder && PASSED.has(base)) return null;
      // A folder of keys is one by the name of any file in it.
      if (kind !== "file" && this.isSecret(`${name}/${PROBE}`)) return "key";
      if (isFolder) return "files";
      return this.isSecret(name) ? "key" : null;
    }
    if (isFolder) {
      if (around !== "repository") return around;
      if (CONTENT.has(base)) return null;
      return ADDRESSES.has(base) ? "addresses" : "data";
    }
    const isAddress = around === "addresses" || (kind === "link" && ADDRESSES.has(base));
    return isAddress || SETTINGS.test(base) || this.isSecret(name) ? "key" : null;
  }

  /**
   * Where a link leads, if that is in one of these folders and holds none of them, or is elsewhere
   * and a key by its own name. Home folders are hidden and a system's files are everybody's: none is
   * emptied because a repository says so.
   */
  private async targetOf(place: string, folders: readonly string[]): Promise<string | null> {
    const target = await realpath(Buffer.from(place, "latin1"), { encoding: "buffer" }).catch(
      () => null,
    );
    const found = target?.toString("latin1");
    if (found === undefined || folders.some((each) => contains(found, each))) return null;
    return folders.some((each) => contains(each, found)) || this.isSecret(found) ? found : null;
  }

  private isSecret(name: string): boolean {
    const known = this.judged.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretPath(text(name.replace(IN_VERSION_CONTROL, "")));
    this.judged.set(name, isSecret);
    return isSecret;
  }
}

/** The bytes of a text as characters, and the text of such bytes. */
const bytesOf = (path: string) => Buffer.from(path).toString("latin1");
const text = (path: string) => Buffer.from(path, "latin1").toString();

/**
 * What a folder is: of a work tree, the uppermost of a repository's data, in these, or of addresses
 * in them.
 */
type Part = "files" | "repository" | "data" | "addresses";

interface LookedFolder {
  /** Its path from the root, and its last part. */
  readonly name: string;
  readonly base: string;
  /** What it is by the folder around it. */
  readonly part: Part;
}

interface FoundEntry {
  /** Its path from the root, and its last part. */
  readonly name: string;
  readonly base: string;
  readonly kind: "file" | "folder" | "link";
}

/** What is in a folder, and what the folder is by that. */
async function partsIn(
  root: string,
  { name, base, part }: LookedFolder,
): Promise<{ readonly part: Part; readonly entries: readonly FoundEntry[] }> {
  const entries = await entriesIn(root, name);
  // Of Mercurial and Subversion, folders are all content.
  if (base === ".hg" || base === ".svn")
    return { part: "data", entries: entries.filter(({ kind }) => kind !== "folder") };
  const names = entries.map((each) => each.base);
  // A bare repository may hold work trees.
  if (names.includes(".git")) return { part: "files", entries };
  return { part: base === ".git" || isRepositoryData(names) ? "repository" : part, entries };
}

async function entriesIn(root: string, folder: string): Promise<readonly FoundEntry[]> {
  const place = Buffer.from(`${root}/${folder}`, "latin1");
  const entries: readonly Pick<
    Dirent<Buffer>,
    "name" | "isDirectory" | "isFile" | "isSymbolicLink"
  >[] = await readdir(place, { withFileTypes: true, encoding: "buffer" }).catch(() => []);
  return entries.flatMap((entry): FoundEntry[] => {
    const base = entry.name.toString("latin1");
    const name = folder === "" ? base : `${folder}/${base}`;
    if (entry.isDirectory()) return [{ name, base, kind: "folder" as const }];
    if (entry.isFile()) return [{ name, base, kind: "file" as const }];
    return entry.isSymbolicLink() ? [{ name, base, kind: "link" as const }] : [];
  });
}
