import { err, ok, type Result } from "../base/result.ts";
import { lookOf, pathSpellings } from "../base/text/pathSpellings.ts";
import type { DirectoryEntry, FileError, Workspace } from "../ports/workspace.ts";

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
 * may be `new` and its folder exists. The error names what it may mean where that is not certain.
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
  const exact = await files.existing(spellings.map(({ path }) => path));
  const alike =
    exact.length > 0 ? exact : await files.alike([written, ...spellings.map(({ path }) => path)]);
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) return ok(only);
  if (only !== undefined) return unclear(written, alike);
  if (!isNew) return ok(written);
  return newPath(files, written, spellings);
}

/** True where there is a file or folder, also one that is only proposed or may not be read. */
export function existsAt(seen: SeenPaths, path: string, signal: AbortSignal): Promise<boolean> {
  return new SeenFolders(seen, signal).has(path);
}

/** Where a new file goes. */
async function newPath(
  files: SeenFolders,
  written: string,
  spellings: ReturnType<typeof pathSpellings>,
): Promise<Result<string, FileError>> {
  const sure = spellings.filter(({ isSure }) => isSure).map(({ path }) => path);
  // The reading that nothing more can be taken from.
  const plain = sure.findLast((path) => pathSpellings(path, []).every(({ isSure }) => !isSure));
  const path = plain ?? written;
  if (/:L?\d+(?:[-:,]\d+)*$|#L\d+(?:-L?\d+)?$/.test(path)) {
    const [bare] = spellings.filter((each) => !each.isSure);
    return unclear(written, bare ? [bare.path] : []);
  }
  if (await files.has(folderOf(path))) return ok(path);
  const [alike, ...more] = await files.alike([folderOf(path)]);
  if (alike !== undefined && more.length === 0) return ok(`${alike}/${nameOf(path)}`);
  const top = path.split("/", 1)[0] ?? "";
  if (top !== "" && (await files.has(top))) return ok(path);
  const inFolders: string[] = [];
  for (const { path: other } of spellings)
    if (other.includes("/") && folderOf(other) !== "" && (await files.has(folderOf(other))))
      inFolders.push(other);
  return inFolders.length === 0 ? ok(path) : unclear(written, inFolders);
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
