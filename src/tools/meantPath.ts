import { err, ok, type Result } from "../base/result.ts";
import { lookOf, pathSpellings, withoutPlace } from "../base/text/pathSpellings.ts";
import type { DirectoryEntry, FileError, Workspace } from "../ports/workspace.ts";
import { invalidPart, pathsWithin } from "./pathsWithin.ts";

/** What understanding a path needs: the files as the model sees them. */
export interface SeenPaths {
  readonly workspace: Pick<Workspace, "resolve" | "read" | "list" | "folders">;
  /** The paths of files that are only proposed. */
  proposed(): readonly string[];
}

/** The most paths of one look that a name may mean before it is no name. */
const MOST_ALIKE = 8;

/**
 * The path that a model means by one it wrote: that path where something is there, else the only
 * file or folder that it can mean. Where nothing is there, a path without the marks around it, if it
 * may be `new`. The error names what it may mean where that is not certain, such as an existing file
 * whose path is written with words or marks around it.
 */
export async function meantPath(
  seen: SeenPaths,
  written: string,
  isNew: boolean,
  signal: AbortSignal,
): Promise<Result<string, FileError>> {
  const files = new SeenFolders(seen, signal);
  if (await files.has(written)) return ok(written);
  const spellings = pathSpellings(written, seen.workspace.folders);
  const readings = [written, ...spellings.map(({ path }) => path)];
  const exact = await files.existing([...readings, ...readings.map((path) => `/${path}`)]);
  const alike = exact.length > 0 ? exact : await files.alike(readings);
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) return ok(only);
  if (only !== undefined) return unclear(written, alike);
  const sure = spellings.filter(({ isSure }) => isSure).map(({ path }) => path);
  // The reading that nothing more can be taken from.
  const plain =
    sure.findLast((path) => pathSpellings(path, []).every(({ isSure }) => !isSure)) ?? written;
  const isInFolder = await files.has(folderOf(plain));
  const within = await files.existing(pathsWithin(await files.relative(plain), isInFolder));
  if (within.length > 0) return unclear(written, within);
  return isNew ? newPath(files, written, plain, isInFolder) : ok(written);
}

/** True where there is a file or folder, also one that is only proposed or may not be read. */
export function existsAt(seen: SeenPaths, path: string, signal: AbortSignal): Promise<boolean> {
  return new SeenFolders(seen, signal).has(path);
}

/** Where a new file goes; `plain` is its path without marks around it. */
async function newPath(
  files: SeenFolders,
  written: string,
  plain: string,
  isInFolder: boolean,
): Promise<Result<string, FileError>> {
  const bare = withoutPlace(plain);
  if (bare !== plain && (/\.[a-z]\w*$/i.test(bare) || /^[:#]/.test(plain.slice(bare.length))))
    return unclear(written, [bare]);
  const relative = await files.relative(plain);
  const invalid = invalidPart(isInFolder ? nameOf(plain) : relative);
  if (invalid === null) {
    if (isInFolder) return ok(plain);
    const [alike, ...more] = await files.alike([folderOf(plain)]);
    if (alike !== undefined && more.length === 0) return ok(`${alike}/${nameOf(plain)}`);
    const top = plain.split("/", 1)[0] ?? "";
    const isInside = relative !== plain || (top !== "" && (await files.has(top)));
    if (isInside) return ok(plain);
  }
  const rooted = plain.startsWith("/") ? plain : await files.relative(`/${plain}`);
  const inFolders = rooted.startsWith("/") ? [] : [rooted];
  for (const { path: other } of pathSpellings(written, files.folders))
    if (invalidPart(other) === null && other.includes("/") && folderOf(other) !== "")
      if (await files.has(folderOf(other))) inFolders.push(other);
  if (inFolders.length > 0) return unclear(written, inFolders);
  return invalid === null
    ? ok(plain)
    : err({ code: "invalid-name", path: written, detail: JSON.stringify(invalid) });
}

function unclear(path: string, may: readonly string[]): Result<never, FileError> {
  return err({ code: "unclear-path", path, detail: [...new Set(may)].slice(0, 5).join(", ") });
}

/** Folders of the workspace, each listed once. */
class SeenFolders {
  private readonly seen: SeenPaths;
  private readonly signal: AbortSignal;
  private readonly lists = new Map<string, Promise<readonly DirectoryEntry["name"][]>>();

  constructor(seen: SeenPaths, signal: AbortSignal) {
    this.seen = seen;
    this.signal = signal;
  }

  /** The names of the workspace's folders. */
  get folders(): readonly string[] {
    return this.seen.workspace.folders;
  }

  /** A path as the workspace has it; what is none stays. */
  async relative(path: string): Promise<string> {
    const file = await this.seen.workspace.resolve(path);
    return file.ok && file.value.path !== "" ? file.value.path : path;
  }

  /** True where there is a file or folder, also one that may not be read. */
  async has(path: string): Promise<boolean> {
    if (path === "" || path === ".") return true;
    const file = await this.seen.workspace.resolve(path);
    if (!file.ok)
      // What leads outside, or is broken, is answered as it is.
      return file.error.code === "leads-outside" || file.error.code === "broken-link";
    if (file.value.path === "") return true;
    if ((await this.namesIn(folderOf(file.value.path))).includes(nameOf(file.value.path)))
      return true;
    const read = await this.seen.workspace.read(file.value, this.signal);
    return read.ok || (read.error.code !== "not-found" && read.error.code !== "parent-is-file");
  }

  /** The paths among these that exist, each file once, as the workspace names them. */
  async existing(paths: readonly string[]): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const path of paths) {
      const file = await this.seen.workspace.resolve(path);
      if (file.ok && file.value.path !== "" && (await this.has(path))) found.add(file.value.path);
    }
    return [...found];
  }

  /** What looks like one of these paths. */
  async alike(paths: readonly string[]): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const path of paths) {
      const file = await this.seen.workspace.resolve(path);
      if (!file.ok) continue;
      let places = [""];
      for (const segment of file.value.path.split("/")) {
        const next: string[] = [];
        for (const place of places) next.push(...(await this.alikeIn(place, segment)));
        places = next.slice(0, MOST_ALIKE);
      }
      for (const place of places) if (place !== "") found.add(place);
    }
    return [...found];
  }

  private async alikeIn(folder: string, segment: string): Promise<readonly string[]> {
    const names = await this.namesIn(folder);
    const look = lookOf(segment);
    const alike = names.includes(segment)
      ? [segment]
      : names.filter((name) => lookOf(name) === look);
    return alike.map((name) => (folder === "" ? name : `${folder}/${name}`));
  }

  private namesIn(folder: string): Promise<readonly string[]> {
    const known = this.lists.get(folder);
    if (known) return known;
    const listed = this.list(folder);
    this.lists.set(folder, listed);
    return listed;
  }

  private async list(folder: string): Promise<readonly string[]> {
    const listed = await this.seen.workspace.list(folder === "" ? "." : folder, this.signal);
    const prefix = folder === "" ? "" : `${folder}/`;
    const proposed = this.seen
      .proposed()
      .flatMap((path) =>
        path.startsWith(prefix) ? (path.slice(prefix.length).split("/", 1)[0] ?? []) : [],
      );
    const names = listed.ok ? listed.value.map(({ name }) => name) : [];
    return [...new Set([...names, ...proposed])];
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
