import { readdir, realpath, stat } from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import {
  type DirectoryEntry,
  directoriesFirst,
  type FileError,
  type FileRef,
  MAX_FILE_BYTES,
  type SearchAnswer,
  secretRefusal,
  type TextSearch,
  type Workspace,
} from "../../ports/workspace.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { type SearchedText, searchTexts } from "../../tools/search/searchTexts.ts";
import { confinePath, fileRefOf } from "./confinePath.ts";
import { createPathPattern } from "./pathPattern.ts";
import { decodeAnyText, readTextFile } from "./readTextFile.ts";
import { searchWithRipgrep } from "./ripgrepSearch.ts";
import { readError } from "./systemError.ts";
import { unsearchedFiles, wantsLetters } from "./unsearchedFiles.ts";
import { walkFiles } from "./walkFiles.ts";

/**
 * A workspace with one folder on disk, searched with `ripgrep` if given. Texts include a byte order
 * mark. Rejects if the folder is missing.
 */
export async function createNodeWorkspace(
  root: string,
  ripgrep: string | null = null,
): Promise<Workspace> {
  const named = path.resolve(root);
  const real = await realpath(named);
  if (!(await stat(real)).isDirectory()) throw new Error(`${root} is not a folder.`);

  async function resolve(name: string): Promise<Result<FileRef, FileError>> {
    const confined = await confinePath(named, real, name);
    return confined.ok ? ok(fileRefOf(confined.value)) : confined;
  }

  return {
    trusted: true,
    folders: [path.basename(named)],
    resolve,

    async read(file, signal) {
      const refused = secretRefusal(file, true);
      if (refused) return err(refused);
      const place = await locate(real, file);
      if (!place.ok) return place;
      const text = await readTextFile(real, place.value, file.path || ".", signal);
      return text.ok
        ? ok({ file, exists: true, text: text.value, version: 0, languageId: "" })
        : text;
    },

    async writable(file) {
      const place = await locate(real, file);
      if (!place.ok) return place.error;
      return writeRefusal(place.value, file.path);
    },

    async list(name, signal) {
      const place = await confinePath(named, real, name);
      if (!place.ok) return place;
      if (signal.aborted) return err({ code: "cancelled", path: name });
      return listFolder(place.value.real, name);
    },

    async search(query, signal) {
      const found =
        ripgrep === null ? null : await searchWithRipgrep(ripgrep, real, query, [], signal);
      return found ?? searchFiles(real, query, signal);
    },
  };
}

/**
 * Resolves the file again, because a symlink may have been added since. The file may now be a
 * secret.
 */
async function locate(root: string, file: FileRef): Promise<Result<string, FileError>> {
  const again = await confinePath(root, root, fileURLToPath(file.uri));
  if (!again.ok) return again;
  const now = fileRefOf(again.value);
  return now.secret && !file.secret
    ? err({ code: "moved-meanwhile", path: file.path })
    : ok(again.value.real);
}

async function writeRefusal(real: string, name: string): Promise<FileError | null> {
  const found = await stat(real).catch(() => null);
  if (found?.isDirectory()) return { code: "is-directory", path: name };
  // The superuser may write anything. Respect the mode anyway.
  return found && (found.mode & 0o222) === 0 ? { code: "read-only", path: name } : null;
}

/** The entries of the folder at the absolute path `real`. Errors refer to it as `name`. */
async function listFolder(
  real: string,
  name: string,
): Promise<Result<readonly DirectoryEntry[], FileError>> {
  try {
    if (!(await stat(real)).isDirectory()) return err({ code: "is-file", path: name });
    const entries = await readdir(real, { withFileTypes: true });
    return ok(
      entries
        .map((entry) => ({ name: entry.name, kind: direntKind(entry) }))
        .sort(directoriesFirst),
    );
  } catch (error) {
    return err(readError(error, name));
  }
}

function direntKind(entry: {
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): DirectoryEntry["kind"] {
  if (entry.isSymbolicLink()) return "symlink";
  return entry.isDirectory() ? "directory" : "file";
}

/**
 * Searches the text files under `root`, a real path, without ripgrep. Results are in path order.
 * Skips symlinks, ignored files and binary files.
 */
export async function searchFiles(
  root: string,
  query: TextSearch,
  signal: AbortSignal,
): Promise<Result<SearchAnswer, FileError>> {
  const found = await searchTexts(textsUnder(root, query.include, signal), query);
  if (signal.aborted) return err({ code: "cancelled", path: "" });
  if (!found.ok || found.value.truncated) return found;
  const { matches } = found.value;
  if (matches.length > 0 && !wantsLetters(query)) return found;
  const included = query.include === null ? () => true : createPathPattern(query.include);
  const listed: string[] = [];
  for await (const file of walkFiles(root, signal)) if (included(file)) listed.push(file);
  const unsearched = await unsearchedFiles(
    root,
    listed,
    { query, matches },
    MAX_FILE_BYTES,
    signal,
  );
  return ok({ ...found.value, ...(unsearched.length > 0 && { unsearched }) });
}

async function* textsUnder(
  root: string,
  include: string | null,
  signal: AbortSignal,
): AsyncGenerator<SearchedText> {
  const included = include === null ? () => true : createPathPattern(include);
  for await (const file of walkFiles(root, signal)) {
    const text =
      included(file) && !isSecretPath(file)
        ? await readTextFile(root, path.join(root, file), file, signal, decodeAnyText)
        : null;
    if (text?.ok) yield { text: text.value, path: async () => file };
  }
}
