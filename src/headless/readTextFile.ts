import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { err, ok, type Result } from "../base/result.ts";
import { missing, notFile, notPermitted, notReadable, notRegular, readingCancelled, tooLarge } from "../ports/fileErrors.ts";
import { type FileError, MAX_FILE_BYTES } from "../ports/workspace.ts";
import { decodeText } from "./decodeText.ts";
import { errorCode } from "./errorCode.ts";

/** Reads the file at the absolute path `real` as UTF-8 text; errors call it `name`. Never waits for a pipe or a device. */
export async function readTextFile(real: string, name: string, signal?: AbortSignal): Promise<Result<string, FileError>> {
  try {
    const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await handle.stat();
      if (stat.isDirectory()) return err(notFile(name));
      if (!stat.isFile()) return err(notRegular(name));
      if (stat.size > MAX_FILE_BYTES) return err(tooLarge(name, stat.size));
      const text = decodeText(await handle.readFile(signal ? { signal } : {}));
      if (text === null)
        return err({ kind: "binary", message: `${name} is not a UTF-8 text file, so it cannot be read or edited as text.` });
      return ok(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return err(readError(error, name));
  }
}

/** The sentence for a failed file system call on `name`. */
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
