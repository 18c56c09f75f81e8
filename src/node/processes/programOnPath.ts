import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";

/** The path of an executable file on the PATH, or null. Windows itself would first look in the workspace. */
export async function programOnPath(name: string): Promise<string | null> {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return firstExecutable(folders.map((folder) => path.join(folder, file)));
}

/** The first executable file of these, or null. */
export async function firstExecutable(candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates) {
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return candidate;
  }
  return null;
}
