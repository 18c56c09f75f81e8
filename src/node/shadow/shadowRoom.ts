import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  writeFile,
} from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { mountPoints } from "../files/mountPoints.ts";
import { privateFolder } from "../files/privateFolder.ts";
import { removeTree } from "../files/removeTree.ts";
import { contains } from "../processes/gitRepository.ts";
import { programOnPath } from "../processes/programOnPath.ts";
import { callNumbers } from "../sandbox/callFilter.ts";
import { systemPerl } from "../sandbox/confinement.ts";
import type { SandboxPrograms } from "../sandbox/inSandbox.ts";
import { KeyFiles } from "../sandbox/keyFiles.ts";
import { type MountPrograms, mountOverlay } from "./overlayMount.ts";

/** A folder for shadows, and what mounts them there. */
export interface ShadowRoom {
  readonly folder: string;
  readonly programs: MountPrograms;
  /** What a sandbox is made with, or why there can be none. */
  readonly sandbox: Result<SandboxPrograms, ShadowProblem>;
  readonly keyFiles: KeyFiles;
}

/** A place for rooms in the machine's memory. */
const MEMORY = "/dev/shm";

/** Process numbers count in one namespace only: a container may share the folder. */
async function ownPrefix(): Promise<string> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `graft-shadow-${/\d+/.exec(namespace)?.[0] ?? "0"}-`;
}

/**
 * Tries out where this machine lets a user show the folders `shown` with changes. Not every file
 * system can hold these, or be below them, and some systems forbid the namespace. Programs inside
 * the `folders`, the workspace's and those that are shown, are not trusted: commands may write there.
 */
export async function openShadowRoom(
  folders: readonly string[],
  shown: readonly string[],
): Promise<Result<ShadowRoom, ShadowProblem>> {
  if (process.platform !== "linux")
    return err({ code: "unsupported-system", detail: process.platform });
  const names = ["unshare", "nsenter", "setpriv", "mount"] as const;
  const [unshare, nsenter, setpriv, mount] = await Promise.all(
    names.map((name) => programOnPath(name, folders)),
  );
  if (!unshare || !nsenter || !setpriv || !mount) {
    const found = [unshare, nsenter, setpriv, mount];
    const missing = names.filter((_, at) => !found[at]);
    return err({ code: "missing-programs", detail: missing.join(", ") });
  }
  const programs = { unshare, nsenter, setpriv, mount };
  let problem: ShadowProblem = { code: "no-folder", detail: "" };
  const prefix = await ownPrefix();
  for (const place of [os.tmpdir(), await cacheFolder(), MEMORY]) {
    const made = await newRoom(place, prefix);
    if (made === null) continue;
    const [inside] = await mountPoints(shown);
    const over: ShadowProblem | null =
      inside === undefined
        ? await tryOut(made, programs, shown)
        : { code: "mount-inside", detail: inside };
    if (over === null)
      return ok({
        ...{ folder: made, programs, keyFiles: new KeyFiles() },
        sandbox: await sandboxPrograms(unshare, folders),
      });
    const tried = await tryOut(made, programs, []);
    await removeTree(made);
    // The place is right: it is the folders that cannot be shown.
    if (tried === null) return err(over);
    problem = { ...tried, code: "forbidden" };
  }
  return err(problem);
}

async function sandboxPrograms(
  unshare: string,
  folders: readonly string[],
): Promise<Result<SandboxPrograms, ShadowProblem>> {
  const numbers = callNumbers(process.arch);
  if (numbers === null) return err({ code: "unsupported-system", detail: process.arch });
  const perl = await systemPerl(folders);
  return perl === null
    ? err({ code: "missing-programs", detail: "perl" })
    : ok({ unshare, perl, numbers });
}

/**
 * A folder for copies of these folders: of the user's, since it is likely on the same disk, and in
 * no repository, which git would find from there.
 */
export async function openCopyRoom(
  folders: readonly string[],
): Promise<Result<string, ShadowProblem>> {
  const prefix = await ownPrefix();
  const cache = await cacheFolder();
  const places = process.platform === "linux" ? [cache, os.tmpdir()] : [os.tmpdir(), cache];
  for (const place of places) {
    const real = await realpath(place).catch(() => null);
    const isTaken = real === null || folders.some((folder) => contains(folder, real));
    if (isTaken || (await isInRepository(real))) continue;
    const made = await newRoom(real, prefix);
    if (made !== null) return ok(made);
  }
  return err({ code: "no-folder", detail: places.join(", ") });
}

async function isInRepository(place: string): Promise<boolean> {
  const isHere = await lstat(path.join(place, ".git")).then(
    () => true,
    () => false,
  );
  const above = path.dirname(place);
  return isHere || (above !== place && (await isInRepository(above)));
}

function cachePlace(): string {
  return path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "graft");
}

async function cacheFolder(): Promise<string> {
  const cache = cachePlace();
  await mkdir(cache, { recursive: true, mode: 0o700 }).catch(() => undefined);
  return cache;
}

/** The user's own folder for rooms in a place that may be shared with others, or null. */
function roomsIn(place: string): Promise<string | null> {
  return privateFolder(place, `graft-shadows-${process.getuid?.() ?? "user"}`);
}

/** A new folder of this process, or null where none can be made. Removes those of others gone. */
async function newRoom(place: string, prefix: string): Promise<string | null> {
  await removeLeftovers(place, prefix);
  const rooms = await roomsIn(place);
  return rooms && mkdtemp(path.join(rooms, `${prefix}${process.pid}-`)).catch(() => null);
}

/** A new folder for temporary files, or null. Its path is short, since those of sockets must be. */
export async function newTemporaryFolder(): Promise<string | null> {
  return newRoom(os.tmpdir(), await ownPrefix());
}

/** Removes the rooms that killed processes left anywhere. Never rejects. */
export async function removeLeftRooms(): Promise<void> {
  const prefix = await ownPrefix();
  for (const place of [os.tmpdir(), cachePlace(), MEMORY]) await removeLeftovers(place, prefix);
}

/** Removes the folders of processes that are gone: their commands ended with them. */
async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  const place = await roomsIn(parent);
  if (place === null) return;
  for (const name of await readdir(place).catch((): string[] => [])) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    if (pid > 0 && !isRunning(pid)) await removeTree(path.join(place, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Null where the folders `shown` can be shown with changes, beside a folder for the trial, in which
 * a change stays out of what is below.
 */
async function tryOut(
  room: string,
  programs: MountPrograms,
  shown: readonly string[],
): Promise<ShadowProblem | null> {
  const trial = path.join(room, "trial");
  const folder = path.join(trial, "folder");
  const file = path.join(folder, "file");
  await mkdir(folder, { recursive: true });
  await writeFile(file, "before");
  const layers = [folder, ...shown].map((each, at) => ({
    folder: each,
    upper: path.join(trial, `upper-${at}`),
    work: path.join(trial, `work-${at}`),
  }));
  for (const { upper, work } of layers) for (const each of [upper, work]) await mkdir(each);
  const mounted = await mountOverlay(layers, programs);
  if (!mounted.ok) {
    await removeTree(trial);
    return mounted.error;
  }
  try {
    await writeFile(mounted.value.inside(file), "after");
    const [below, above] = [
      await readFile(file, "utf8"),
      await readFile(path.join(trial, "upper-0", "file")),
    ];
    return below === "before" && above.toString() === "after"
      ? null
      : { code: "forbidden", detail: "" };
  } catch (error) {
    return { code: "forbidden", detail: String(error) };
  } finally {
    await mounted.value.end();
    await removeTree(trial);
  }
}
