import { existsAlready, missing, notEmpty, notFile, notPermitted, notReadable, readingCancelled } from "../../ports/fileErrors.ts";
import type { FileError } from "../../ports/workspace.ts";

/** The code of a system error, such as `ENOENT`; "" for other errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The error for a failed attempt to read `name`. */
export function readError(error: unknown, name: string): FileError {
  const code = errorCode(error);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return missing(name);
    case "EISDIR":
      return notFile(name);
    case "EACCES":
    case "EPERM":
      return notPermitted(name);
    case "ABORT_ERR":
      return readingCancelled(name);
    default:
      return notReadable(name, code);
  }
}

/** The error for a failed change of `name`. */
export function writeError(error: unknown, name: string): FileError {
  const code = errorCode(error);
  if (code === "EEXIST" || code === "ERR_FS_CP_EEXIST") return existsAlready(name);
  if (code === "ENOTEMPTY") return notEmpty(name);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return { kind: "read-only", message: `${name} cannot be written: permission denied.` };
  }
  if (code === "ENOTDIR") return { kind: "not-found", message: `${name} cannot be created: a part of its path is a file.` };
  return { kind: "unreadable", message: `${name} could not be changed (${code || String(error)}).` };
}
