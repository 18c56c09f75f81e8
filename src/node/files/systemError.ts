import type { FileError } from "../../ports/workspace.ts";

/** The code of a system error, such as `ENOENT`, or "" for other errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

const READ_ERRORS: Readonly<Record<string, FileError["code"]>> = {
  ENOENT: "not-found",
  ENOTDIR: "not-found",
  EISDIR: "is-directory",
  EACCES: "permission-denied",
  EPERM: "permission-denied",
  ABORT_ERR: "cancelled",
  // A link took its place since the path was resolved.
  ELOOP: "moved-meanwhile",
  GRAFT_MOVED: "moved-meanwhile",
};

/** The error for a failed read of `path`. */
export function readError(error: unknown, path: string): FileError {
  const detail = errorCode(error);
  const code = READ_ERRORS[detail];
  return code ? { code, path } : { code: "unreadable", path, detail };
}

const WRITE_ERRORS: Readonly<Record<string, FileError["code"]>> = {
  EEXIST: "exists",
  ERR_FS_CP_EEXIST: "exists",
  ENOTEMPTY: "not-empty",
  EACCES: "permission-denied",
  EPERM: "permission-denied",
  EROFS: "read-only",
  ENOTDIR: "parent-is-file",
  GRAFT_MOVED: "moved-meanwhile",
};

/** The error for a failed change of `path`. */
export function writeError(error: unknown, path: string): FileError {
  const detail = errorCode(error) || String(error);
  const code = WRITE_ERRORS[detail];
  return code ? { code, path } : { code: "not-changed", path, detail };
}
