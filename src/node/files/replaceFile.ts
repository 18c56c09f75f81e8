import { randomUUID } from "node:crypto";
import { chmod, chown, mkdir, open, rename, rm, stat } from "node:fs/promises";
import * as path from "node:path";

/** Writes a file atomically with its folders; it keeps its mode bits and owner. `target` is absolute. Rejects on failure. */
export async function replaceFile(target: string, text: string): Promise<void> {
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true });
  const old = await stat(target).catch(() => null);
  const temporary = path.join(folder, `.${path.basename(target).slice(0, 100)}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    const handle = await open(temporary, "wx", old ? old.mode & 0o777 : 0o666);
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (old) {
      // Only the superuser can change the owner.
      await chown(temporary, old.uid, old.gid).catch(() => undefined);
      await chmod(temporary, old.mode & 0o7777);
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
