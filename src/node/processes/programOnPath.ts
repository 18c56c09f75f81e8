import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import * as path from "node:path";

/**
 * The path of an executable file on the PATH, or null. Windows itself would first look in the workspace. Nothing inside the folders
 * `without` counts: package managers put a project's own programs on the PATH.
 */
export async function programOnPath(name: string, without: readonly string[] = []): Promise<string | null> {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const excluded = await Promise.all(without.map(realOf));
  const places = await Promise.all(folders.map(async (folder) => ({ folder, real: await realOf(path.join(folder, file)) })));
  const outside = places.filter(({ folder, real }) => ![...without, ...excluded].some((root) => isIn(root, folder) || isIn(root, real)));
  return firstExecutable(outside.map(({ folder }) => path.join(folder, file)));
}

async function realOf(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}

function isIn(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
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
