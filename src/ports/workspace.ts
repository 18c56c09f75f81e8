import { err, ok, type Result } from "../base/result.ts";
import type { FILE_SENTENCES } from "./messages.ts";

/** A file that is proven to lie inside the workspace, symlinks resolved. */
export interface FileRef {
  /** Relative to its workspace folder, `/` between segments; in a workspace with several folders it starts with the folder's name. */
  readonly path: string;
  /** The URI in string form (`file:///…`), for comparing and for the host; never shown to the model. */
  readonly uri: string;
  /** Set where something acts on the file without being asked, such as an editor, a hook or a build server. Links are resolved first. */
  readonly protected?: true;
  /** Set where the file may hold keys: it is only read once the user allowed that, see {@link allowSecret}. */
  readonly secret?: "asks" | "allowed";
  /** Set for what lies in a folder of version control. */
  readonly versionControl?: true;
}

/** The same file after the user allowed reading it. */
export function allowSecret(file: FileRef): FileRef {
  return file.secret ? { ...file, secret: "allowed" } : file;
}

/** Why a file that may hold keys is not read; null where it may be. Without trust, nobody can allow it. */
export function secretRefusal({ path, secret }: FileRef, trusted: boolean): FileError | null {
  if (secret === undefined || (secret === "allowed" && trusted)) return null;
  return { code: trusted ? "secret" : "untrusted-secret", path };
}

/** Why a file cannot be used. */
export interface FileError {
  readonly code: keyof typeof FILE_SENTENCES;
  /** As it was asked for; "" for the workspace. */
  readonly path: string;
  /** What the system said, or another fact of the code. */
  readonly detail?: string;
  /** The size of a file that is too large. */
  readonly bytes?: number;
}

/** A file's text at one moment: the open document's, unsaved edits included, else the disk's. */
export interface FileSnapshot {
  readonly file: FileRef;
  /** False for a file that is to be created; then `text` is empty. */
  readonly exists: boolean;
  /** The text as the editor shows it: a byte order mark is not part of it where the editor hides it, line ends are the editor's, or the file's without an editor. */
  readonly text: string;
  /** The document's version, or 0 when it is not open in an editor. */
  readonly version: number;
  /** How many proposed changes `text` contains that the file does not have yet; absent for none. */
  readonly pending?: number;
  /** The path that the file is proposed to be renamed to; absent for none. */
  readonly renamedTo?: string;
  /** The open document's language id (`typescript`, `typescriptreact`, `python`, …), or "" when the file is not open. */
  readonly languageId: string;
}

/** A file that is to be created. */
export function missingFile(file: FileRef): FileSnapshot {
  return { file, exists: false, text: "", version: 0, languageId: "" };
}

/** A file that is to be edited or created; the error where it cannot be read or written. */
export async function readToEdit(
  workspace: Pick<Workspace, "writable" | "read">,
  file: FileRef,
  signal: AbortSignal,
): Promise<Result<FileSnapshot, FileError>> {
  const locked = await workspace.writable(file);
  if (locked) return err(locked);
  const read = await workspace.read(file, signal);
  return !read.ok && read.error.code === "not-found" ? ok(missingFile(file)) : read;
}

/** One entry of a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink";
}

/** The order of a directory's entries. */
export function directoriesFirst(a: DirectoryEntry, b: DirectoryEntry): number {
  const rank = (entry: DirectoryEntry) => (entry.kind === "directory" ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

/** What to look for in the workspace's files. */
export interface TextSearch {
  readonly pattern: string;
  readonly isRegExp: boolean;
  readonly caseSensitive: boolean;
  /** A glob relative to the workspace, or null for every file. */
  readonly include: string | null;
  /** At most this many matches. */
  readonly limit: number;
}

/** One line that matched; `line` is 1-based. */
export interface TextMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a search found; `truncated` when a limit cut it. */
export interface SearchAnswer {
  readonly matches: readonly TextMatch[];
  readonly truncated: boolean;
}

/** Largest file, in bytes, that is read as text. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** The user's files, confined to the workspace. */
export interface Workspace {
  /** False in an untrusted workspace: nothing may be written then. */
  readonly trusted: boolean;
  /** The folders' names, in order; empty when no folder is open. */
  readonly folders: readonly string[];
  /** Resolves a workspace-relative path, or an absolute one inside a folder. The file itself need not exist; its nearest existing parent must be inside. */
  resolve(path: string): Promise<Result<FileRef, FileError>>;
  /** Reads a file as text. A missing file is the error `not-found`. Refuses binary files, those over {@link MAX_FILE_BYTES}, and those of {@link secretRefusal}. */
  read(file: FileRef, signal: AbortSignal): Promise<Result<FileSnapshot, FileError>>;
  /** Null when the file can be written, else why not (read-only, untrusted). A missing file can be written. */
  writable(file: FileRef): Promise<FileError | null>;
  /** A directory's entries sorted by name, directories first; `path` may be "" or "." for the root. */
  list(path: string, signal: AbortSignal): Promise<Result<readonly DirectoryEntry[], FileError>>;
  /** Searches text files, honouring ignore files, without those that may hold keys. */
  search(query: TextSearch, signal: AbortSignal): Promise<Result<SearchAnswer, FileError>>;
}

/** The text of the file at `path`. One that may hold keys is an error, unless the user `allows` reading it. */
export async function readPath(
  workspace: Pick<Workspace, "resolve" | "read">,
  path: string,
  signal: AbortSignal,
  allows = false,
): Promise<Result<FileSnapshot, FileError>> {
  const file = await workspace.resolve(path);
  return file.ok ? workspace.read(allows ? allowSecret(file.value) : file.value, signal) : file;
}
