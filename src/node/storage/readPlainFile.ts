import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import * as path from "node:path";
import { type UnfitReason, unfitFile } from "../../ports/eventLog.ts";
import { errorCode } from "../files/systemError.ts";

/** Windows has neither flag, nor pipes or links that need them. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

const UNFIT: Readonly<Record<string, UnfitReason>> = {
  EISDIR: "not-a-file",
  // A link, and a socket.
  ELOOP: "not-a-file",
  ENXIO: "not-a-file",
  EACCES: "no-access",
  EPERM: "no-access",
};

/**
 * The text of a plain file of the user's own with at most `maxBytes`; null where there is none.
 * Rejects with `unfitFile` for anything else, without waiting for it or reading it.
 */
export async function readPlainFile(file: string, maxBytes: number): Promise<string | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    const unfit = UNFIT[code];
    throw unfit ? unfitFile(unfit, file) : error;
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unfitFile("not-a-file", file);
    if (found.size > maxBytes) throw unfitFile("too-large", file);
    if (!(await isOwn(file, found.uid))) throw unfitFile("not-own", file);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/**
 * True for a file of this user, of root, or of the owner of its folder: on some shares all files
 * belong to the same other user.
 */
async function isOwn(file: string, owner: number): Promise<boolean> {
  const own = process.getuid?.();
  if (own === undefined || own === 0 || owner === own || owner === 0) return true;
  return (await stat(path.dirname(file))).uid === owner;
}
