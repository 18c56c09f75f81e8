import type { Result } from "../base/result.ts";
import type { FileError, FileRef } from "./workspace.ts";

/** Why a file is not changed without a question about this very change; null where it may be. */
export function changeRefusal({ path, protected: isProtected, secret }: FileRef, asked: boolean): FileError | null {
  return !asked && (isProtected || secret) ? { code: "protected", path } : null;
}

/** What is known of a file or a folder without reading it. */
export interface FileStat {
  readonly file: FileRef;
  readonly kind: "file" | "directory";
  /** True when the path names a symbolic link; everything else is said of what it leads to. */
  readonly symlink: boolean;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly readOnly: boolean;
}

/** Which files to find. */
interface FileSearch {
  /** The folder to look in, workspace-relative; "" for everything. */
  readonly folder: string;
  /** A glob in the way of ignore files, relative to the workspace, or null for every file. */
  readonly glob: string | null;
  /** At most this many files. */
  readonly limit: number;
}

/** Files that were found, sorted by path; `truncated` says that a limit cut the list. */
interface FoundFiles {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

/**
 * Changes of whole files, confined to the workspace. Refused in an untrusted one, and nothing is replaced without `overwrite`. Protected
 * files, and those that may hold keys, are refused unless the user was `asked` about this very change.
 */
export interface WorkspaceFiles {
  stat(path: string): Promise<Result<FileStat, FileError>>;
  /** Finds files, honouring ignore files. */
  find(search: FileSearch, signal: AbortSignal): Promise<Result<FoundFiles, FileError>>;
  /** Creates a text file, with its folders. */
  createFile(path: string, text: string, overwrite: boolean, asked?: boolean): Promise<Result<FileRef, FileError>>;
  /** Creates a folder, with those above it. */
  createDirectory(path: string, asked?: boolean): Promise<Result<FileRef, FileError>>;
  /** Deletes a file, a symbolic link (not what it leads to) or a folder; one that is not empty only when `recursive`. */
  delete(path: string, recursive: boolean, asked?: boolean): Promise<Result<FileRef, FileError>>;
  /** Moves a file or a folder; missing folders of the new path are created. */
  rename(from: string, to: string, overwrite: boolean, asked?: boolean): Promise<Result<FileRef, FileError>>;
  /** Copies a file or a folder with all in it; missing folders of the new path are created. */
  copy(from: string, to: string, overwrite: boolean, asked?: boolean): Promise<Result<FileRef, FileError>>;
}
