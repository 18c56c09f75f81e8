import type { Result } from "../base/result.ts";
import type { FileError, FileRef } from "./workspace.ts";

/** The error for a protected or secret file, unless the user was asked about this exact change. */
export function changeRefusal(
  { path, protected: isProtected, secret }: FileRef,
  asked: boolean,
): FileError | null {
  return !asked && (isProtected || secret) ? { code: "protected", path } : null;
}

/** File or folder metadata. */
export interface FileStat {
  readonly file: FileRef;
  readonly kind: "file" | "directory";
  /** Whether the path is a symbolic link. Everything else describes its target. */
  readonly symlink: boolean;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly readOnly: boolean;
  /** Whether it is a program; never where files have no such modes. */
  readonly executable: boolean;
}

/** What to look for among the files. */
export interface FileSearch {
  /** The folder to search, workspace-relative. "" searches everything. */
  readonly folder: string;
  /** A glob in ignore-file syntax, relative to the workspace. Null matches every file. */
  readonly glob: string | null;
  readonly limit: number;
}

/** The found files, sorted by path. `truncated` tells whether a limit cut the list off. */
export interface FoundFiles {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

/**
 * Operations on whole files, confined to the workspace. An untrusted workspace refuses all, and
 * `overwrite` is needed to replace anything. Protected files and files that may contain keys are
 * refused, unless the user was `asked` about this exact change.
 */
export interface WorkspaceFiles {
  stat(path: string): Promise<Result<FileStat, FileError>>;
  /** Finds files. Honors ignore files. */
  find(search: FileSearch, signal: AbortSignal): Promise<Result<FoundFiles, FileError>>;
  /** Creates a text file and missing parent folders. */
  createFile(
    path: string,
    text: string,
    overwrite: boolean,
    asked?: boolean,
  ): Promise<Result<FileRef, FileError>>;
  /** Creates a folder and missing parent folders. */
  createDirectory(path: string, asked?: boolean): Promise<Result<FileRef, FileError>>;
  /**
   * Deletes a file, a folder or a symbolic link (not its target). A non-empty folder requires
   * `recursive`.
   */
  delete(path: string, recursive: boolean, asked?: boolean): Promise<Result<FileRef, FileError>>;
  /** Moves a file or folder. Creates missing parent folders of the new path. */
  rename(
    from: string,
    to: string,
    overwrite: boolean,
    asked?: boolean,
  ): Promise<Result<FileRef, FileError>>;
  /** Makes a file executable for those who may read it, or no longer executable for anybody. */
  setExecutable(
    path: string,
    executable: boolean,
    asked?: boolean,
  ): Promise<Result<FileRef, FileError>>;
  /**
   * Copies a file, or a folder with its contents. Creates missing parent folders of the new path.
   */
  copy(
    from: string,
    to: string,
    overwrite: boolean,
    asked?: boolean,
  ): Promise<Result<FileRef, FileError>>;
}
