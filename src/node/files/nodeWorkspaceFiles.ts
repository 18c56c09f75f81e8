import {
  cp,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { withLineEndsOf } from "../../base/text/lines.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import {
  changeRefusal,
  type FileSearch,
  type FileStat,
  type FoundFiles,
  type WorkspaceFiles,
} from "../../ports/workspaceFiles.ts";
import { type ConfinedPath, confinePath, fileRefOf } from "./confinePath.ts";
import { changeExecutable, isExecutable } from "./fileMode.ts";
import { openFolder } from "./openFolder.ts";
import { createPathPattern } from "./pathPattern.ts";
import { readTextFile } from "./readTextFile.ts";
import { replaceFile } from "./replaceFile.ts";
import { listWithRipgrep } from "./ripgrepFiles.ts";
import { readError, writeError } from "./systemError.ts";
import { walkFiles } from "./walkFiles.ts";

/** The folder with the files, as it was named and as links resolve. */
interface Root {
  readonly named: string;
  readonly real: string;
}

/**
 * File operations in `folder` on disk, listed with `ripgrep` where given. Rejects if it
 * does not exist.
 */
export async function createNodeWorkspaceFiles(
  folder: string,
  ripgrep: string | null = null,
): Promise<WorkspaceFiles> {
  const named = path.resolve(folder);
  const root = { named, real: await realpath(named) };
  return {
    stat: (name) => statEntry(root, name),
    find: (search, signal) => findEntries(root, ripgrep, search, signal),
    createFile: (name, text, overwrite, asked = false) =>
      writeText(root, name, text, overwrite, asked),
    createDirectory: (name, asked = false) => createFolderAt(root, name, asked),
    delete: (name, recursive, asked = false) => removeEntry(root, name, recursive, asked),
    rename: async (from, to, overwrite, asked = false) =>
      put(root, from, to, overwrite, asked, await entryItself(root, from), rename),
    setExecutable: (name, executable, asked = false) => setMode(root, name, executable, asked),
    copy: async (from, to, overwrite, asked = false) => {
      const options = {
        recursive: true,
        force: overwrite,
        errorOnExist: true,
        verbatimSymlinks: true,
      };
      return put(root, from, to, overwrite, asked, await followed(root, from), (source, target) =>
        cp(source, target, options),
      );
    },
  };
}

function followed({ named, real }: Root, name: string): Promise<Result<ConfinedPath, FileError>> {
  return confinePath(named, real, name);
}

async function statEntry(root: Root, name: string): Promise<Result<FileStat, FileError>> {
  const place = await followed(root, name);
  if (!place.ok) return place;
  const itself = await entryItself(root, name);
  try {
    const found = await stat(place.value.real);
    const link = itself.ok && (await lstat(itself.value.real)).isSymbolicLink();
    return ok({
      file: fileRefOf(place.value),
      kind: found.isDirectory() ? "directory" : "file",
      symlink: link,
      bytes: found.size,
      modifiedAt: found.mtimeMs,
      readOnly: (found.mode & 0o222) === 0,
      executable: found.isFile() && isExecutable(found.mode),
    });
  } catch (error) {
    return err(readError(error, name));
  }
}

async function findEntries(
  root: Root,
  ripgrep: string | null,
  { folder, glob, limit }: FileSearch,
  signal: AbortSignal,
): Promise<Result<FoundFiles, FileError>> {
  const place = await followed(root, folder);
  if (!place.ok) return place;
  const directory = await stat(place.value.real).catch(() => null);
  if (!directory) return err({ code: "not-found", path: folder });
  if (!directory.isDirectory()) return err({ code: "is-file", path: folder });
  const within = path.relative(root.real, place.value.real).split(path.sep).join("/");
  const paths: string[] = [];
  for await (const file of listFiles(ripgrep, root.real, glob, signal)) {
    if (within !== "" && !file.startsWith(`${within}/`)) continue;
    if (paths.length >= limit) return ok({ paths, truncated: true });
    paths.push(file);
  }
  if (signal.aborted) return err({ code: "cancelled", path: folder });
  return ok({ paths, truncated: false });
}

async function writeText(
  root: Root,
  name: string,
  text: string,
  overwrite: boolean,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const place = await target(root, name, overwrite, asked);
  if (!place.ok) return place;
  const old = overwrite ? await readToReplace(root, place.value, name) : ok(null);
  if (!old.ok) return old;
  const content = old.value === null ? text : likeOld(text, old.value);
  return attempt(place.value, name, () =>
    replaceFile(root.real, place.value.real, content, overwrite),
  );
}

/** The text of the file that is there, null for none; an error where it is no UTF-8 text. */
async function readToReplace(
  root: Root,
  place: ConfinedPath,
  name: string,
): Promise<Result<string | null, FileError>> {
  const read = await readTextFile(root.real, place.real, name, new AbortController().signal);
  return !read.ok && read.error.code === "not-found" ? ok(null) : read;
}

/** A text with the byte order mark and the line ends of the text that it replaces. */
function likeOld(text: string, old: string): string {
  const mark = old.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + withLineEndsOf(old, text.replace(/^\uFEFF/, ""));
}

async function createFolderAt(
  root: Root,
  name: string,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const place = changeable(await followed(root, name), asked);
  if (!place.ok) return place;
  const there = await stat(place.value.real).catch(() => null);
  if (there?.isDirectory()) return err({ code: "exists", path: name });
  if (there) return err({ code: "is-file", path: name });
  return attempt(place.value, name, () => within(root, place.value, true, (entry) => mkdir(entry)));
}

async function removeEntry(
  root: Root,
  name: string,
  recursive: boolean,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const place = changeable(await entryItself(root, name), asked);
  if (!place.ok) return place;
  const found = await lstat(place.value.real).catch(() => null);
  if (!found) return err({ code: "not-found", path: name });
  if (found.isDirectory() && !recursive && (await readdir(place.value.real)).length > 0)
    return err({ code: "not-empty", path: name });
  return attempt(place.value, name, () =>
    within(root, place.value, false, async (entry) => {
      if (!found.isDirectory()) await unlink(entry);
      else if (recursive) await rm(entry, { recursive: true });
      else await rmdir(entry);
    }),
  );
}

async function setMode(
  root: Root,
  name: string,
  executable: boolean,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  if (process.platform === "win32") return err({ code: "no-modes", path: name });
  const place = changeable(await followed(root, name), asked);
  if (!place.ok) return place;
  return attempt(place.value, name, () =>
    within(root, place.value, false, (entry) => changeExecutable(entry, executable)),
  );
}

/** Resolves the entry itself, without following a final symlink. */
async function entryItself(root: Root, name: string): Promise<Result<ConfinedPath, FileError>> {
  const place = await followed(root, name);
  if (place.ok && place.value.relative === "") return err({ code: "is-workspace", path: name });
  const absolute = path.resolve(root.named, name);
  const parent = await followed(root, path.dirname(absolute));
  if (!parent.ok) return parent;
  const below = (folder: string) =>
    folder === "" ? path.basename(absolute) : `${folder}/${path.basename(absolute)}`;
  const { relative, real: folder, realRelative } = parent.value;
  return ok({
    relative: below(relative),
    real: path.join(folder, path.basename(absolute)),
    realRelative: below(realRelative),
  });
}

/** Checks that an entry may be changed. */
function changeable(
  place: Result<ConfinedPath, FileError>,
  asked: boolean,
): Result<ConfinedPath, FileError> {
  const refusal = place.ok ? changeRefusal(fileRefOf(place.value), asked) : null;
  return refusal ? err(refusal) : place;
}

/** Resolves a path to write to. Fails if it already exists and may not be replaced. */
async function target(
  root: Root,
  name: string,
  overwrite: boolean,
  asked: boolean,
): Promise<Result<ConfinedPath, FileError>> {
  const place = changeable(await followed(root, name), asked);
  if (!place.ok) return place;
  const there = await lstat(place.value.real).catch(() => null);
  if (there?.isDirectory()) return err({ code: "is-directory", path: name });
  return there && !overwrite ? err({ code: "exists", path: name }) : place;
}

async function attempt(
  place: ConfinedPath,
  name: string,
  work: () => Promise<void>,
): Promise<Result<FileRef, FileError>> {
  try {
    await work();
    return ok(fileRefOf(place));
  } catch (error) {
    return err(writeError(error, name));
  }
}

/** Works on an entry of a folder that is opened without following links. */
async function within(
  root: Root,
  place: ConfinedPath,
  create: boolean,
  work: (entry: string) => Promise<unknown>,
): Promise<void> {
  const folder = await openFolder(root.real, path.dirname(place.real), create);
  try {
    await folder.check();
    await work(folder.entry(path.basename(place.real)));
  } finally {
    await folder.close();
  }
}

/** Puts `source`, named by `from`, at `to`. */
async function put(
  root: Root,
  from: string,
  to: string,
  overwrite: boolean,
  asked: boolean,
  source: Result<ConfinedPath, FileError>,
  work: (source: string, target: string) => Promise<void>,
): Promise<Result<FileRef, FileError>> {
  const found = changeable(source, asked);
  if (!found.ok) return found;
  if (!(await lstat(found.value.real).catch(() => null)))
    return err({ code: "not-found", path: from });
  const place = await target(root, to, overwrite, asked);
  if (!place.ok) return place;
  if (isUnder(found.value.real, place.value.real))
    return err({ code: "into-itself", path: from, detail: to });
  return attempt(place.value, to, () =>
    within(root, found.value, false, (source) =>
      within(root, place.value, true, (target) => work(source, target)),
    ),
  );
}

function isUnder(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}

/** The files that match, in the order of {@link walkFiles}, which also lists without ripgrep. */
async function* listFiles(
  ripgrep: string | null,
  root: string,
  glob: string | null,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const query = { glob, excludes: [], allIgnoreFiles: true, followLinks: false };
  const listed = ripgrep === null ? null : await listWithRipgrep(ripgrep, root, query, signal);
  if (listed) {
    // A folder comes before files that continue its name.
    const keys = listed.map((path) => path.replaceAll("/", "\0")).sort();
    for (const key of keys) yield key.replaceAll("\0", "/");
    return;
  }
  const matches = glob === null ? () => true : createPathPattern(glob);
  for await (const file of walkFiles(root, signal)) if (matches(file)) yield file;
}
