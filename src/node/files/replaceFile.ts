import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import * as path from "node:path";
import { MovedFolderError, openFolder } from "./openFolder.ts";

/**
 * Writes a file below `root` atomically and creates missing folders. Keeps the mode bits and the
 * owner. `target` is absolute and link-free. Rejects on failure, or if a folder was replaced by a
 * link. Then nothing is left on disk.
 */
export async function replaceFile(
  root: string,
  target: string,
  content: string | Uint8Array,
  overwrite = true,
): Promise<void> {
  const folder = await openFolder(root, path.dirname(target), true);
  const place = folder.entry(path.basename(target));
  const temporary = folder.entry(
    `.${path.basename(target).slice(0, 100)}.${randomUUID().slice(0, 8)}.tmp`,
  );
  try {
    const old = await lstat(place).catch(() => null);
    if (old?.isSymbolicLink()) throw new MovedFolderError(target);
    if (old && !overwrite) throw Object.assign(new Error(target), { code: "EEXIST" });
    const handle = await open(temporary, "wx", old ? old.mode & 0o777 : 0o666);
    try {
      await folder.check();
      await handle.writeFile(content);
      if (old) await keepOwner(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await folder.check();
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await folder.close();
  }
}

async function keepOwner(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  // Only the superuser can change the owner.
  await handle.chown(uid, gid).catch(() => undefined);
  await handle.chmod(mode & 0o7777);
}
