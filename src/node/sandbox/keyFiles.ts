import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { readPlainText } from "../processes/readPlain.ts";

/** Folders of packages, whose files are everybody's. */
const PASSED = new Set(["node_modules", "site-packages"]);
/** Where version control keeps addresses, which may hold passwords; it does without them. */
const SETTINGS = /^(?:config|hgrc)(?:[._-].*)?$/;
const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);
/** What of these folders is looked at: the rest is objects. */
const REPOSITORIES = /(?:^|\/)\.git\/(?:modules|worktrees)(?:\/(?!objects$|refs$|logs$|hooks$)|$)/;
/** Stands for any file of a folder that is no secret by its own name. */
const PROBE = "x.ts";

/**
 * Finds files with keys, and remembers how it judged a path. Paths are absolute, and each of their
 * characters is a byte: names need not be UTF-8.
 */
export class KeyFiles {
  private readonly judged = new Map<string, boolean>();

  /** All files and folders in a folder that may hold keys. */
  async inWorkspace(folder: string): Promise<readonly string[]> {
    const root = bytesOf(folder);
    const [found, common] = await Promise.all([
      this.below(
        root,
        (name) => this.isSecret(name),
        () => true,
      ),
      settingsOfWorkTree(root),
    ]);
    return [...found, ...common];
  }

  private async below(
    root: string,
    isKey: (name: string) => boolean,
    isLookedAt: (name: string) => boolean,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (let open = [""]; open.length > 0; ) {
      const entries = (await Promise.all(open.map((folder) => entriesIn(root, folder)))).flat();
      open = [];
      for (const { name, base, kind } of entries) {
        const isFolder = kind === "folder";
        if (isFolder && PASSED.has(base)) continue;
        const isRepository = VERSION_CONTROL.has(base) || REPOSITORIES.test(name);
        if (isRepository && isFolder) open.push(name);
        else if (isInRepository(name)) {
          if (SETTINGS.test(base) || isSecretPath(text(base))) found.push(`${root}/${name}`);
        }
        // A folder of keys is one by the name of any file in it.
        else if (isKey(isFolder ? `${name}/${PROBE}` : name))
          found.push(kind === "link" ? await targetOf(`${root}/${name}`) : `${root}/${name}`);
        else if (kind === "link" && isKey(`${name}/${PROBE}`))
          found.push(await targetOf(`${root}/${name}`));
        else if (isFolder && isLookedAt(name)) open.push(name);
      }
    }
    return found;
  }

  private isSecret(name: string): boolean {
    const known = this.judged.get(name);
    if (known !== undefined) return known;
    const isSecret = isSecretPath(text(name));
    this.judged.set(name, isSecret);
    return isSecret;
  }
}

/** The bytes of a text as characters, and the text of such bytes. */
const bytesOf = (path: string) => Buffer.from(path).toString("latin1");
const text = (path: string) => Buffer.from(path, "latin1").toString();

function isInRepository(name: string): boolean {
  return name.split("/").some((each) => VERSION_CONTROL.has(each));
}

/** The settings of the repository whose linked work tree this is; it lies elsewhere. */
async function settingsOfWorkTree(root: string): Promise<readonly string[]> {
  const link = (await readPlainText(Buffer.from(`${root}/.git`, "latin1"), "latin1")) ?? "";
  const dir = /^gitdir: (\/.*)$/m.exec(link)?.[1];
  if (dir === undefined) return [];
  const common = dir.replace(/\/(?:worktrees|modules)\/.*$/, "");
  return [...new Set([dir, common])].map((each) => `${each}/config`);
}

/** Where a link leads. */
async function targetOf(place: string): Promise<string> {
  const found = await realpath(Buffer.from(place, "latin1"), { encoding: "buffer" }).catch(
    () => null,
  );
  return found?.toString("latin1") ?? place;
}

interface FoundEntry {
  /** Its path from the root, and its last part. */
  readonly name: string;
  readonly base: string;
  readonly kind: "file" | "folder" | "link";
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
