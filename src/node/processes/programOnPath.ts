import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import * as path from "node:path";

/**
 * The absolute path of a program on the PATH that Graft may start for itself, or null. Skipped are
 * programs inside the `without` folders, since package managers add a project's own programs to the
 * PATH, and those that another user could have put there. Windows would even look in the workspace
 * first.
 */
export async function programOnPath(
  name: string,
  without: readonly string[] = [],
): Promise<string | null> {
  return firstExecutable(await placesOnPath(name, without));
}

/**
 * The absolute path of a program that the user named, by its path or as found on the PATH, but not
 * inside the `without` folders. Null where there is none.
 */
export async function namedProgram(
  name: string,
  without: readonly string[],
): Promise<string | null> {
  if (path.isAbsolute(name)) return name;
  if (path.basename(name) !== name) return null;
  for (const place of await placesOnPath(name, without))
    if (await isExecutable(place)) return place;
  return null;
}

async function placesOnPath(name: string, without: readonly string[]): Promise<readonly string[]> {
  const isBare = process.platform === "win32" && path.extname(name) === "";
  const file = isBare ? `${name}.exe` : name;
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
  return outside.map(({ folder }) => path.join(folder, file));
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
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

/** The first candidate that is executable and that no other user could have put there, or null. */
export async function firstExecutable(candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates)
    if (
      (await isExecutable(candidate)) &&
      (await isNobodyElses(candidate)) &&
      (await isNobodyElses(await realpath(candidate)))
    )
      return candidate;
  return null;
}

/** Others may write there, but `STICKY` keeps them from replacing what is not theirs. */
const [OTHERS_WRITE, STICKY] = [0o002, 0o1000];

/**
 * True where a file and each folder above it belong to the superuser, the user, or whoever owns the
 * program that runs this code, and not everybody may write there. Windows has no such owners.
 */
async function isNobodyElses(file: string): Promise<boolean> {
  if (process.getuid === undefined) return true;
  const own = await stat(process.execPath);
  const trusted = [0, process.getuid(), own.uid];
  for (let place = file; ; place = path.dirname(place)) {
    const { uid, mode } = await stat(place);
    const isOpen = (mode & OTHERS_WRITE) !== 0 && (place === file || (mode & STICKY) === 0);
    if (!trusted.includes(uid) || isOpen) return false;
    if (path.dirname(place) === place) return true;
  }
}
