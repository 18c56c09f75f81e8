import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import type { KeptDifference } from "../../ports/commands/shadow.ts";
import { isExecutable } from "../files/fileMode.ts";
import { markOf } from "./copyManifest.ts";
import { fileContent } from "./fileContent.ts";

/** Works on a path through the folder that holds it; a link on the way leads nowhere. */
type Within = <T>(place: string, work: (entry: string) => Promise<T>) => Promise<T>;

/** A folder as the shadow has it, and as the user has it. */
export interface KeptPlaces {
  readonly place: string;
  readonly shadow: Within;
  readonly user: Within;
  /** What a link's absolute target in the shadow is in the user's folders. */
  sourceOf(target: string): string;
}

/** One thing to do with the user's folder; `mark` is what is there, "" for nothing. */
interface Step {
  readonly does: "remove" | "folder" | "file" | "link";
  readonly place: string;
  readonly mark: string;
}

/** How the user's folder becomes what the shadow has. */
export interface KeepPlan {
  readonly difference: KeptDifference;
  /** Removals stand before what takes their place. */
  readonly steps: readonly Step[];
}

/** How many files of a kind a difference names. */
const MOST_NAMED = 5;

/** Compares every file, by its bytes. Pipes and devices of the shadow are left out. */
export async function keepPlan(places: KeptPlaces): Promise<KeepPlan> {
  const steps: Step[] = [];
  const count = { added: 0, changed: 0, removed: 0 };
  const first: Record<keyof typeof count, string[]> = { added: [], changed: [], removed: [] };
  await compare(places.place, true);
  const id = createHash("sha256").update(JSON.stringify(steps)).digest("hex");
  return { difference: { ...count, first, id }, steps };

  function differs(how: keyof typeof count, place: string): void {
    count[how]++;
    if (first[how].length < MOST_NAMED)
      first[how].push(path.relative(places.place, place).split(path.sep).join("/"));
  }

  async function compare(place: string, mayBeThere: boolean): Promise<void> {
    const shown = await statsAt(places.shadow, place);
    const own = mayBeThere ? await statsAt(places.user, place) : null;
    if (shown === null) return own === null ? undefined : remove(place, own);
    if (shown.isDirectory()) {
      const isFolder = own?.isDirectory() === true;
      if (!isFolder) {
        if (own !== null) differs("changed", place);
        steps.push({ does: "folder", place, mark: own === null ? "" : markOf(own) });
      }
      const names = [
        ...(await namesIn(places.shadow, place)),
        ...(isFolder ? await namesIn(places.user, place) : []),
      ];
      for (const name of [...new Set(names)].sort())
        await compare(path.join(place, name), isFolder);
      return;
    }
    if (!shown.isFile() && !shown.isSymbolicLink()) return;
    if (own !== null && (await isSame(places, place, shown, own))) return;
    if (own?.isDirectory()) await remove(place, own);
    differs(own === null || own.isDirectory() ? "added" : "changed", place);
    const mark = own === null || own.isDirectory() ? "" : markOf(own);
    steps.push({ does: shown.isFile() ? "file" : "link", place, mark });
  }

  async function remove(place: string, own: Stats): Promise<void> {
    if (!own.isDirectory()) differs("removed", place);
    else
      for (const name of (await namesIn(places.user, place)).sort()) {
        const inner = path.join(place, name);
        const stats = await statsAt(places.user, inner);
        if (stats) await remove(inner, stats);
      }
    steps.push({ does: "remove", place, mark: markOf(own) });
  }
}

/**
 * Does what a plan says, but removes only where `removes`. Nothing is written through a link. Gives
 * how many files stayed, since they changed meanwhile or something is in their way.
 */
export async function carryOut(
  { steps }: KeepPlan,
  places: KeptPlaces,
  removes: boolean,
): Promise<number> {
  let left = 0;
  for (const step of steps) {
    if (step.does === "remove" && !removes) continue;
    const isDone = await places
      .user(step.place, (entry) => carryOutStep(step, entry, places))
      .catch((error: unknown) => {
        // A full disk meets every other file, too.
        if (isFull(error)) throw error;
        return false;
      });
    if (!isDone) left++;
  }
  return left;
}

/** False where something else is there than the plan is for. */
async function carryOutStep(
  { does, place, mark }: Step,
  entry: string,
  { shadow, sourceOf }: KeptPlaces,
): Promise<boolean> {
  const now = await lstat(entry).catch(() => null);
  const isFolder = now?.isDirectory() === true;
  // Its files were removed, which changes a folder.
  if (does === "remove" && isFolder)
    return rmdir(entry).then(
      () => true,
      () => false,
    );
  if ((now === null ? "" : markOf(now)) !== mark) return false;
  if (does === "remove") await unlink(entry);
  else if (does === "folder") {
    if (now !== null) await unlink(entry);
    await mkdir(entry);
  } else {
    const beside = `${entry}.graft-${process.pid}`;
    try {
      await shadow(place, (own) =>
        does === "file" ? copyTo(own, beside) : linkTo(own, beside, sourceOf),
      );
      await rename(beside, entry);
    } finally {
      await rm(beside, { force: true });
    }
  }
  return true;
}

async function copyTo(own: string, beside: string): Promise<void> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const file = await open(own, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const { mode } = await file.stat();
    const bytes = file.createReadStream({ autoClose: false });
    await writeFile(beside, bytes, { flag: "wx", mode: mode & 0o777 });
  } finally {
    await file.close();
  }
}

async function linkTo(
  own: string,
  beside: string,
  sourceOf: (target: string) => string,
): Promise<void> {
  const target = await readlink(own);
  await symlink(path.isAbsolute(target) ? sourceOf(target) : target, beside, "junction");
}

async function isSame(
  { shadow, user, sourceOf }: KeptPlaces,
  place: string,
  shown: Stats,
  own: Stats,
): Promise<boolean> {
  if (shown.isSymbolicLink() && own.isSymbolicLink()) {
    const [target, ownTarget] = [
      await shadow(place, (entry) => readlink(entry)),
      await user(place, (entry) => readlink(entry)),
    ];
    const leads = (to: string) => path.resolve(path.dirname(place), to);
    return leads(sourceOf(leads(target))) === leads(ownTarget) || target === ownTarget;
  }
  if (!shown.isFile() || !own.isFile()) return false;
  if (shown.size !== own.size || isExecutable(shown.mode) !== isExecutable(own.mode)) return false;
  const [there, here] = await Promise.all(
    [shadow, user].map((within) => within(place, (entry) => fileContent(entry, true))),
  );
  return there?.hash !== undefined && there.hash === here?.hash;
}

/** Null where there is nothing, or a link is on the way. */
function statsAt(within: Within, place: string): Promise<Stats | null> {
  return within(place, (entry) => lstat(entry)).catch(() => null);
}

function namesIn(within: Within, place: string): Promise<string[]> {
  return within(place, (entry) => readdir(entry)).catch(() => []);
}

function isFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return code === "ENOSPC" || code === "EDQUOT";
}
