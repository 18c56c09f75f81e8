import { lstat, mkdir, realpath } from "node:fs/promises";
import * as path from "node:path";

/** Others may write there; `STICKY` keeps them from replacing what is not theirs. */
const [OTHERS_WRITE, STICKY] = [0o022, 0o1000];

/**
 * The path of the folder `name` in `place`, into which only the user can look or write, made where
 * it is missing. Null where another user could have made it, or could replace it: there, nothing may
 * be written, and nothing removed. Windows and its temporary folders have no such owners.
 */
export async function privateFolder(place: string, name: string): Promise<string | null> {
  try {
    const real = await realpath(place);
    const folder = path.join(real, name);
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
    const [above, own] = [await lstat(real), await lstat(folder)];
    if (!own.isDirectory()) return null;
    const user = process.getuid?.();
    if (user === undefined) return folder;
    const isSafe = (above.mode & OTHERS_WRITE) === 0 || (above.mode & STICKY) !== 0;
    const isOwn = own.uid === user && (own.mode & 0o077) === 0;
    return isSafe && [0, user].includes(above.uid) && isOwn ? folder : null;
  } catch {
    return null;
  }
}
