import { cp, lstat, mkdir, readdir, realpath, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { changeRefusal, type WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { type ConfinedPath, confinePath, refOf } from "./confinePath.ts";
import { openFolder } from "./openFolder.ts";
import { createPathPattern } from "./pathPattern.ts";
import { replaceFile } from "./replaceFile.ts";
import { readError, writeError } from "./systemError.ts";
import { walkFiles } from "./walkFiles.ts";

/** The files of the folder `root` on disk. Rejects when it does not exist. */
export async function createNodeWorkspaceFiles(root: string): Promise<WorkspaceFiles> {
  const named = path.resolve(root);
  const real = await realpath(named);
  const follow = (name: string) => confinePath(named, real, name);

  /** Resolves the entry itself, without following a final symlink. */
  async function entry(name: string): Promise<Result<ConfinedPath, FileError>> {
    const place = await follow(name);
    if (place.ok && place.value.relative === "") return err({ code: "is-workspace", path: name });
    const absolute = path.resolve(named, name);
    const parent = await follow(path.dirname(absolute));
    if (!parent.ok) return parent;
    const below = (folder: string) => (folder === "" ? path.basename(absolute) : `${folder}/${path.basename(absolute)}`);
    const { relative, real: folder, realRelative } = parent.value;
    return ok({ relative: below(relative), real: path.join(folder, path.basename(absolute)), realRelative: below(realRelative) });
  }

  /** A place that may be changed. */
  function changeable(place: Result<ConfinedPath, FileError>, asked: boolean): Result<ConfinedPath, FileError> {
    const refusal = place.ok ? changeRefusal(refOf(place.value), asked) : null;
    return refusal ? err(refusal) : place;
  }

  /** Resolves a path to write to. Fails where something exists that may not be replaced. */
  async function target(name: string, overwrite: boolean, asked: boolean): Promise<Result<ConfinedPath, FileError>> {
    const place = changeable(await follow(name), asked);
    if (!place.ok) return place;
    const there = await lstat(place.value.real).catch(() => null);
    if (there?.isDirectory()) return err({ code: "is-directory", path: name });
    return there && !overwrite ? err({ code: "exists", path: name }) : place;
  }

  async function attempt(place: ConfinedPath, name: string, work: () => Promise<void>): Promise<Result<FileRef, FileError>> {
    try {
      await work();
      return ok(refOf(place));
    } catch (error) {
      return err(writeError(error, name));
    }
  }

  /** Does work on an entry of a folder that is opened without following links. */
  async function within(place: ConfinedPath, create: boolean, work: (entry: string) => Promise<unknown>): Promise<void> {
    const folder = await openFolder(real, path.dirname(place.real), create);
    try {
      await folder.check();
      await work(folder.entry(path.basename(place.real)));
    } finally {
      await folder.close();
    }
  }

  /** Puts `source`, which `from` names, at `to`. */
  async function put(
    from: string,
    to: string,
    overwrite: boolean,
    asked: boolean,
    source: Result<ConfinedPath, FileError>,
    work: (source: string, target: string) => Promise<void>,
  ): Promise<Result<FileRef, FileError>> {
    const found = changeable(source, asked);
    if (!found.ok) return found;
    if (!(await lstat(found.value.real).catch(() => null))) return err({ code: "not-found", path: from });
    const place = await target(to, overwrite, asked);
    if (!place.ok) return place;
    if (isInside(found.value.real, place.value.real)) return err({ code: "into-itself", path: from, detail: to });
    return attempt(place.value, to, () =>
      within(found.value, false, (source) => within(place.value, true, (target) => work(source, target))),
    );
  }

  return {
    async stat(name) {
      const place = await follow(name);
      if (!place.ok) return place;
      const itself = await entry(name);
      try {
        const found = await stat(place.value.real);
        const link = itself.ok && (await lstat(itself.value.real)).isSymbolicLink();
        return ok({
          file: refOf(place.value),
          kind: found.isDirectory() ? "directory" : "file",
          symlink: link,
          bytes: found.size,
          modifiedAt: found.mtimeMs,
          readOnly: (found.mode & 0o222) === 0,
        });
      } catch (error) {
        return err(readError(error, name));
      }
    },

    async find({ folder, glob, limit }, signal) {
      const place = await follow(folder);
      if (!place.ok) return place;
      const directory = await stat(place.value.real).catch(() => null);
      if (!directory) return err({ code: "not-found", path: folder });
      if (!directory.isDirectory()) return err({ code: "is-file", path: folder });
      const within = path.relative(real, place.value.real).split(path.sep).join("/");
      const matches = glob === null ? () => true : createPathPattern(glob);
      const paths: string[] = [];
      for await (const file of walkFiles(real, signal)) {
        if (within !== "" && !file.startsWith(`${within}/`)) continue;
        if (!matches(file)) continue;
        if (paths.length >= limit) return ok({ paths, truncated: true });
        paths.push(file);
      }
      if (signal.aborted) return err({ code: "cancelled", path: folder });
      return ok({ paths, truncated: false });
    },

    async createFile(name, text, overwrite, asked = false) {
      const place = await target(name, overwrite, asked);
      if (!place.ok) return place;
      return attempt(place.value, name, () => replaceFile(real, place.value.real, text, overwrite));
    },

    async createDirectory(name, asked = false) {
      const place = changeable(await follow(name), asked);
      if (!place.ok) return place;
      const there = await stat(place.value.real).catch(() => null);
      if (there?.isDirectory()) return err({ code: "exists", path: name });
      if (there) return err({ code: "is-file", path: name });
      return attempt(place.value, name, () => within(place.value, true, (entry) => mkdir(entry)));
    },

    async delete(name, recursive, asked = false) {
      const place = changeable(await entry(name), asked);
      if (!place.ok) return place;
      const found = await lstat(place.value.real).catch(() => null);
      if (!found) return err({ code: "not-found", path: name });
      if (found.isDirectory() && !recursive && (await readdir(place.value.real)).length > 0) return err({ code: "not-empty", path: name });
      return attempt(place.value, name, () =>
        within(place.value, false, async (entry) => {
          if (!found.isDirectory()) await unlink(entry);
          else if (recursive) await rm(entry, { recursive: true });
          else await rmdir(entry);
        }),
      );
    },

    rename: async (from, to, overwrite, asked = false) => put(from, to, overwrite, asked, await entry(from), rename),

    copy: async (from, to, overwrite, asked = false) => {
      const options = { recursive: true, force: overwrite, errorOnExist: true, verbatimSymlinks: true };
      return put(from, to, overwrite, asked, await follow(from), (source, target) => cp(source, target, options));
    },
  };
}

function isInside(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder + path.sep);
}
