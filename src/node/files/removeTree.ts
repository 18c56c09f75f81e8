import { chmod, lstat, readdir, rm, rmdir, unlink } from "node:fs/promises";
import * as path from "node:path";
import { openOwnFolder } from "./openFolder.ts";

/**
 * Removes a folder with everything in it, also what nobody may read, or anything else by this name.
 * Never rejects. On Linux each folder is worked on as it was opened: a command that still runs may
 * put a link in its place, and what that leads to is the user's.
 */
export async function removeTree(place: string): Promise<void> {
  if (process.platform === "linux") {
    await removeOpened(place).catch(() => undefined);
    return;
  }
  if (await removed(place)) return;
  await openAll(place);
  await removed(place);
}

async function removeOpened(place: string): Promise<void> {
  const folder = await openOwnFolder(place);
  if (folder === null) return unlink(place);
  try {
    const inside = `/proc/self/fd/${folder.fd}`;
    for (const name of await readdir(inside)) await removeOpened(path.join(inside, name));
  } finally {
    await folder.close();
  }
  await rmdir(place);
}

function removed(place: string): Promise<boolean> {
  return rm(place, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}

async function openAll(folder: string): Promise<void> {
  const entry = await lstat(folder).catch(() => null);
  if (!entry?.isDirectory()) return;
  await chmod(folder, 0o700).catch(() => undefined);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) await openAll(path.join(folder, name));
}
