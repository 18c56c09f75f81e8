import { err, ok, type Result } from "../base/result.ts";
import type { FILE_ERROR_CODES } from "./fileErrorCodes.ts";

/** A file proven to be inside the workspace, with symlinks resolved. */
export interface FileRef {
  /**
   * Relative to its workspace folder, with `/` separators. In a multi-root workspace, it starts
   * with the folder's name.
   */
  readonly path: string;
  /**
   * The URI as a string (`file:///…`), for comparisons and for the host. Never shown to the model.
   */
  readonly uri: string;
  /**
   * Set if an editor, a hook, a build server or the like acts on the file without asking. Links are
   * resolved first.
   */
  readonly protected?: true;
  /**
   * Set if the file may contain keys. Graft reads it only after the user allows it, see {@link
   * allowSecret}.
   */
  readonly secret?: "asks" | "allowed";
  /** Set for files in a version control folder. */
  readonly versionControl?: true;
}

/** The same file, after the user allowed reading it. */
export function allowSecret(file: FileRef): FileRef {
  return file.secret ? { ...file, secret: "allowed" } : file;
}

/**
 * Why Graft must not read a file that may contain keys, or null if it may. In an untrusted
 * workspace, nobody can allow it.
 */
export function secretRefusal({ path, secret }: FileRef, trusted: boolean): FileError | null {
  if (secret === undefined || (secret === "allowed" && trusted)) return null;
  return { code: trusted ? "secret" : "untrusted-secret", path };
}

/** Why a file cannot be used. */
export interface FileError {
  readonly code: (typeof FILE_ERROR_CODES)[number];
  /** The path as requested. "" is the workspace. */
  readonly path: string;
  /** The system's error message, or another detail of the error. */
  readonly detail?: string;
  /** The size of a file that is too large. */
  readonly bytes?: number;
}

/** A file's text at one moment: of the open document with its unsaved edits, else from disk. */
export interface FileSnapshot {
  readonly file: FileRef;
  /** False for a file to be created, whose `text` is empty. */
  readonly exists: boolean;
  /**
   * The text as the editor shows it. It has no byte order mark if the editor hides it. Line endings
   * are the editor's, or the file's without an editor.
   */
  readonly text: string;
  /** The document's version, or 0 if it is not open in an editor. */
  readonly version: number;
  /** The number of proposed changes in `text` that the file does not have yet. Absent if none. */
  readonly pending?: number;
  /** How many of these another chat or agent made. With none of its own, a reader's commands run without them. */
  readonly ofOthers?: number;
  /** The proposed new path of the file. Absent if none. */
  readonly renamedTo?: string;
  /**
   * The language ID of the open document (`typescript`, `typescriptreact`, `python`, …), or "" if
   * it is not open.
   */
  readonly languageId: string;
}

/** The snapshot of a file to be created. */
export function missingFile(file: FileRef): FileSnapshot {
  return { file, exists: false, text: "", version: 0, languageId: "" };
}

/** Reads a file for editing or creating. The error says why it cannot be read or written. */
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

/** An entry of a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink";
}

/** Comparator that sorts directory entries. */
export function directoriesFirst(a: DirectoryEntry, b: DirectoryEntry): number {
  const rank = (entry: DirectoryEntry) => (entry.kind === "directory" ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

/** A search query for the workspace's files. */
export interface TextSearch {
  readonly pattern: string;
  readonly isRegExp: boolean;
  readonly caseSensitive: boolean;
  /** A glob relative to the workspace, or null for all files. */
  readonly include: string | null;
  readonly limit: number;
}

/** A matching line. `line` is 1-based. */
export interface TextMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** The most files that a search left out and names. */
export const MOST_UNSEARCHED = 5;

/** A file that a search left out, and why. */
export interface Unsearched {
  readonly path: string;
  readonly why: "binary" | "too-large" | "unreadable" | "ignored" | "secret" | "encoding";
}

/** The result of a search. `truncated` tells whether a limit cut it off. */
export interface SearchAnswer {
  readonly matches: readonly TextMatch[];
  readonly truncated: boolean;
  /**
   * Files without a match that were not searched, the first few; absent where all were. With
   * matches only those whose encoding is unknown.
   */
  readonly unsearched?: readonly Unsearched[];
  /** The files of the matches whose proposed text was searched. Absent if none. */
  readonly proposed?: readonly string[];
}

/** The largest file that is read as text, in bytes. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** The user's files, confined to the workspace. */
export interface Workspace {
  /** Whether the workspace is trusted. Nothing may be written in an untrusted one. */
  readonly trusted: boolean;
  /** The names of the workspace folders, in order. Empty if no folder is open. */
  readonly folders: readonly string[];
  /**
   * Resolves a workspace-relative path, or an absolute one inside a workspace folder. The file may
   * be missing, but its nearest existing parent must be inside the workspace.
   */
  resolve(path: string): Promise<Result<FileRef, FileError>>;
  /**
   * Reads a file as text. A missing file is the error `not-found`. Refuses binary files, those over
   * {@link MAX_FILE_BYTES}, and those of {@link secretRefusal}.
   */
  read(file: FileRef, signal: AbortSignal): Promise<Result<FileSnapshot, FileError>>;
  /**
   * Why the file cannot be written (read-only, untrusted), or null if it can. A missing file can be
   * written.
   */
  writable(file: FileRef): Promise<FileError | null>;
  /**
   * The entries of a directory, directories first, then by name. `path` may be "" or "." for the
   * root.
   */
  list(path: string, signal: AbortSignal): Promise<Result<readonly DirectoryEntry[], FileError>>;
  /** Searches text files. Honors ignore files and skips files that may contain keys. */
  search(query: TextSearch, signal: AbortSignal): Promise<Result<SearchAnswer, FileError>>;
}

/**
 * The text of the file at `path`. A file that may contain keys is an error, unless the user
 * `allows` reading it.
 */
export async function readPath(
  workspace: Pick<Workspace, "resolve" | "read">,
  path: string,
  signal: AbortSignal,
  allows = false,
): Promise<Result<FileSnapshot, FileError>> {
  const file = await workspace.resolve(path);
  return file.ok ? workspace.read(allows ? allowSecret(file.value) : file.value, signal) : file;
}
