import { chmod, lstat, mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";

/**
 * A folder of Graft's in the user's home, such as `~/.graft/editors`, that only this user can read.
 * Rejects where it is a link or another user's.
 */
export async function userFolder(name: string): Promise<string> {
  const top = path.join(homedir(), ".graft");
  for (const folder of [top, path.join(top, name)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    const isOwn = process.getuid === undefined || process.getuid() === found.uid;
    if (!found.isDirectory() || !isOwn) throw new Error(`${folder} is not a folder of this user`);
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0) await chmod(folder, 0o700);
  }
  return path.join(top, name);
}
