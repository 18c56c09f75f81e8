import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import * as path from "node:path";

/**
 * The path of an executable on the PATH, or null. Ignores programs inside the `without` folders,
 * because package managers add a project's own programs to the PATH. Windows would even look in the
 * workspace first.
 */
export async function programOnPath(
  name: string,
  without: readonly string[] = [],
): Promise<string | null> {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  const excluded = await Promise.all(without.map(resolvedPlace));
  const places = await Promise.all(
    folders.map(async (folder) => ({ folder, real: await resolvedPlace(path.join(folder, file)) })),
  );
  const outside = places.filter(
    ({ folder, real }) =>
      ![...without, ...excluded].some((root) => isIn(root, folder) || isIn(root, real)),
  );
  return firstExecutable(outside.map(({ folder }) => path.join(folder, file)));
}

async function resolvedPlace(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}

function isIn(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return (
    relative === "" ||
    (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

/** The first executable file among the candidates, or null. */
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
