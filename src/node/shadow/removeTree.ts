import { chmod, lstat, readdir, rm } from "node:fs/promises";
import * as path from "node:path";

/** Removes a folder with everything in it, also what nobody may read. Never rejects. */
export async function removeTree(folder: string): Promise<void> {
  if (await removed(folder)) return;
  await open(folder);
  await removed(folder);
}

function removed(folder: string): Promise<boolean> {
  return rm(folder, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}

/** The kernel's own folder, and some that commands make, have no permissions. */
async function open(folder: string): Promise<void> {
  const entry = await lstat(folder).catch(() => null);
  if (!entry?.isDirectory()) return;
  await chmod(folder, 0o700).catch(() => undefined);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) await open(path.join(folder, name));
}
