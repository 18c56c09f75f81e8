import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import { contains, repositoryAround } from "./gitRepository.ts";
import { isOwnGroup } from "./ownGroup.ts";

/**
 * The absolute path of a program on the PATH that Graft may start for itself, or null. Skipped are
 * programs inside the `without` folders and the repositories around them, since package managers add
 * a project's own programs to the PATH, those that another user could have put there, and those of
 * version managers, which a file of the workspace leads to any program. Windows would even look in
 * the workspace first.
 */
export async function programOnPath(
  name: string,
  without: readonly string[] = [],
): Promise<string | null> {
  const places = await placesOnPath(name, without);
  return firstExecutable(places.filter((place) => !isShim(place)));
}

/** The same for a program that the user chose: also of a version manager. */
export async function installedProgram(
  name: string,
  without: readonly string[] = [],
): Promise<string | null> {
  return firstExecutable(await placesOnPath(name, without));
}

/**
 * Where asdf, mise, pyenv, rbenv and their kin keep programs that read `.tool-versions` and the like
 * in the folder where they start. Scoop's on Windows always lead to the same.
 * https://asdf-vm.com/manage/core.html, https://mise.jdx.dev/dev-tools/shims.html
 */
function isShim(place: string): boolean {
  return process.platform !== "win32" && path.basename(path.dirname(place)) === "shims";
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
  const excluded = await foldersOfOthers(without);
  const places = await Promise.all(
    foldersOnPath().map(async (folder) => ({
      folder,
      real: await resolvedPlace(path.join(folder, file)),
    })),
  );
  const outside = places.filter(
    ({ folder, real }) => !excluded.some((root) => contains(root, folder) || contains(root, real)),
  );
  return outside.map(({ folder }) => path.join(folder, file));
}

/**
 * The user's PATH without the `without` folders and the repositories around them, for a program that
 * Graft starts and that starts others by their names.
 */
export async function pathOutside(without: readonly string[]): Promise<string> {
  const excluded = await foldersOfOthers(without);
  const folders = foldersOnPath();
  const reals = await Promise.all(folders.map(resolvedPlace));
  const isInside = (place = "") => excluded.some((root) => contains(root, place));
  return folders
    .filter((folder, at) => !isInside(folder) && !isInside(reals[at]))
    .join(path.delimiter);
}

function foldersOnPath(): readonly string[] {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.filter((folder) => path.isAbsolute(folder));
}

/**
 * These folders and the repositories around them, as spelled and without links: a package manager
 * adds the programs of a whole repository. One around the user's home holds the user's own.
 */
async function foldersOfOthers(folders: readonly string[]): Promise<readonly string[]> {
  const home = await resolvedPlace(homedir());
  const found = await Promise.all(
    folders.map(async (folder) => {
      const real = await resolvedPlace(folder);
      const tops = [folder, real].map(repositoryAround).filter((top) => !contains(top, home));
      return [folder, real, ...tops];
    }),
  );
  return [...new Set(found.flat())];
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
const [GROUP_WRITES, OTHERS_WRITE, STICKY] = [0o020, 0o002, 0o1000];
/**
 * Groups of a system's administrators: root's, and `admin` of macOS, to which Homebrew gives its
 * programs: https://docs.brew.sh/FAQ
 */
const ADMINISTRATORS = process.platform === "darwin" ? [0, 80] : [0];

/**
 * True where a file and each folder above it belong to the superuser, the user, or whoever owns the
 * program that runs this code, and no other may write there. Windows has no such owners.
 */
async function isNobodyElses(file: string): Promise<boolean> {
  if (process.getuid === undefined) return true;
  const own = await stat(process.execPath);
  const trusted = [0, process.getuid(), own.uid];
  for (let place = file; ; place = path.dirname(place)) {
    const { uid, gid, mode } = await stat(place);
    if (!trusted.includes(uid)) return false;
    if (place === file || (mode & STICKY) === 0) {
      const groupWrites = (mode & GROUP_WRITES) !== 0 && !ADMINISTRATORS.includes(gid);
      if ((mode & OTHERS_WRITE) !== 0 || (groupWrites && !(await isOwnGroup(gid)))) return false;
    }
    if (path.dirname(place) === place) return true;
  }
}
