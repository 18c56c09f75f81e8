import { type FileError, MAX_FILE_BYTES } from "./workspace.ts";

/** There is nothing at the path. */
export function missing(name: string): FileError {
  return { kind: "not-found", message: `${name} does not exist.` };
}

/** A file is there where a folder is wanted. */
export function notFolder(name: string): FileError {
  return { kind: "is-file", message: `${name} is a file, not a folder. Name a folder.` };
}

/** A folder is there where a file is wanted; "" is the workspace. */
export function notFile(name: string): FileError {
  return { kind: "is-directory", message: `${name || "."} is a folder. Name a file in it.` };
}

/** A pipe or a device is there. */
export function notRegular(name: string): FileError {
  return { kind: "unreadable", message: `${name} is not a regular file.` };
}

/** Something is there that was not to be replaced. */
export function existsAlready(name: string): FileError {
  return { kind: "exists", message: `${name} exists already.` };
}

/** A folder is there that cannot be replaced. */
export function folderExists(name: string): FileError {
  return { kind: "is-directory", message: `${name} is a folder that exists. Choose another path.` };
}

/** A file is there where a folder was to be created. */
export function fileExists(name: string): FileError {
  return { kind: "is-file", message: `${name} is a file that exists. Choose another path.` };
}

/** A folder that was to be deleted holds something. */
export function notEmpty(name: string): FileError {
  return { kind: "not-empty", message: `${name} is a folder that is not empty.` };
}

/** A folder was to be put into itself. */
export function intoItself(from: string, to: string): FileError {
  return { kind: "invalid-path", message: `${from} cannot be put into itself (${to}). Choose another path.` };
}

/** The workspace itself was to be changed as a file. */
export function workspaceItself(): FileError {
  return { kind: "outside-workspace", message: "That is the workspace itself. Name something in it." };
}

/** A file that is longer than can be read. */
export function tooLarge(name: string, bytes: number): FileError {
  const megabytes = (size: number) => `${(size / (1024 * 1024)).toFixed(1)} MB`;
  return {
    kind: "too-large",
    message: `${name} has ${megabytes(bytes)}; files up to ${megabytes(MAX_FILE_BYTES)} can be read and edited.`,
  };
}

/** The system does not let it be opened. */
export function notPermitted(name: string): FileError {
  return { kind: "unreadable", message: `${name} cannot be opened: permission denied.` };
}

/** It cannot be read, for the reason that the system calls `code`; "" for none. */
export function notReadable(name: string, code: string): FileError {
  return { kind: "unreadable", message: `${name} cannot be read${code ? ` (${code})` : ""}.` };
}

/** Reading was cancelled. */
export function readingCancelled(name: string): FileError {
  return { kind: "unreadable", message: `Reading ${name} was cancelled.` };
}

/** Searching was cancelled. */
export function searchCancelled(): FileError {
  return { kind: "unreadable", message: "The search was cancelled." };
}
