import {
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { err, ok, type Result } from "../../base/result.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { changeMode } from "../files/openFolder.ts";
import { OpenFolders } from "../files/openFolders.ts";
import { removeTree } from "../files/removeTree.ts";
import { contains } from "../processes/gitRepository.ts";
import { startedThrough } from "../sandbox/confinement.ts";
import { changedPaths, NO_CHANGES } from "./changedPaths.ts";
import { repositoryOutside } from "./copiedRepositories.ts";
import { copyDifferences } from "./copyDifferences.ts";
import { type CopyLayout, copyLayout } from "./copyLayout.ts";
import { type FileTree, fileTree } from "./fileTree.ts";
import {
  type BackendWork,
  type KeptPaths,
  type ShadowBackend,
  type ShownFolders,
  writeProblem,
} from "./shadowBackend.ts";
import { type CopiedFolder, type SyncWork, syncFolder } from "./syncFolder.ts";

/** How often progress is told: after so many files or bytes. */
const TELL_FILES = 500;
const TELL_BYTES = 32_000_000;
/** How long a file system's clock may stand still, in milliseconds; some count in two seconds. */
const CLOCK_WAIT_MS = 5_000;

/** How far beyond its limit a folder is measured, so that the problem can say its size. */
export const MEASURED = 4;

/** What a copy may use. */
export interface CopySurroundings {
  /** The absolute path of a folder for copies. */
  readonly room: string;
  /** The absolute path of git, or null. */
  readonly git: string | null;
  /** The most that a copy may hold, in bytes. */
  limit(): number;
}

interface Copy {
  readonly own: string;
  /** The same folder for this process, as it was made; closed when it is removed. */
  readonly handle: FileHandle;
  readonly layout: CopyLayout;
  readonly folders: readonly CopiedFolder[];
  /** False until git was asked whether it stays in the copy. */
  isProven: boolean;
}

/**
 * Shows folders with changes as a copy, which shares blocks where the file system can. It is
 * brought up to date by what both sides are now and were last.
 */
export class CopyBackend implements ShadowBackend {
  readonly name = "copy";
  private readonly surroundings: CopySurroundings;
  private copy: Copy | null = null;
  private lastScratch = 0;

  constructor(surroundings: CopySurroundings) {
    this.surroundings = surroundings;
  }

  async show(
    folders: readonly string[],
    kept: KeptPaths,
    work: BackendWork,
  ): Promise<Result<ShownFolders, ShadowProblem>> {
    const { room } = this.surroundings;
    if (folders.some((folder) => contains(folder, room)))
      return err({ code: "no-folder", detail: room });
    const same = this.copy?.layout.folders.map(({ folder }) => folder).join("\0");
    const isSame = same === folders.join("\0") && (await isInPlace(this.copy));
    if (!isSame) await this.remove();
    try {
      this.copy ??= await newCopy(folders, room);
    } catch (error) {
      return err(writeProblem(error));
    }
    const { copy } = this;
    const problem = await this.sync(copy, keptBy(kept), work);
    if (problem === null) return ok(this.shown(copy));
    // What was copied by then serves the next time, but not on a full disk.
    if (!work.signal.aborted) await this.remove();
    return err(problem);
  }

  async remove(): Promise<void> {
    const { copy } = this;
    this.copy = null;
    if (copy === null) return;
    await copy.handle.close();
    await removeTree(copy.own);
  }

  private shown(copy: Copy): ShownFolders {
    const { layout, folders } = copy;
    const inside = (place: string) => {
      const found = layout.copyOf(place);
      if (found === null) throw new Error(`${place} is not in the copy.`);
      return found;
    };
    const place: Pick<ShownFolders, "enter"> = {
      enter(program, through = []) {
        const own = { ...program, cwd: inside(program.cwd) };
        return through.length === 0
          ? { ...own, variables: gitVariables() }
          : startedThrough(through, { ...own, variables: { ...own.variables, ...gitVariables() } });
      },
    };
    return {
      ...place,
      newSandbox: async () => err({ code: "forbidden", detail: "" }),
      folders: folders.map(({ folder }) => folder),
      isHeld: true,
      inside,
      within(place, work) {
        const found = folders.find(({ folder }) => contains(folder, place));
        if (found === undefined) throw new Error(`${place} is not in the copy.`);
        return found.opened.within(path.relative(found.folder, place), work);
      },
      seen: (place) => layout.copyOf(place),
      sourceOf: (place) => layout.sourceOf(place) ?? place,
      refresh: (work) => this.sync(copy, () => true, work),
      async changedPaths(git) {
        const own = layout.folders.map((each) => each.copy);
        if (!(await haveNoLinks(own))) return ok(NO_CHANGES);
        const found = await copyDifferences(folders, layout);
        return changedPaths(
          folders.map(({ folder }) => folder),
          found,
          place,
          git,
        );
      },
      end: async () => undefined,
    };
  }

  /** Brings a copy up to date. */
  private async sync(
    copy: Copy,
    isKept: (place: string) => boolean,
    work: BackendWork,
  ): Promise<ShadowProblem | null> {
    try {
      return await this.syncAll(copy, isKept, work);
    } catch (error) {
      return work.signal.aborted
        ? { code: "not-mounted", detail: "" }
        : writeProblem(error, copy.own);
    }
  }

  private async syncAll(
    copy: Copy,
    isKept: (place: string) => boolean,
    work: BackendWork,
  ): Promise<ShadowProblem | null> {
    const { signal } = work;
    const { layout, folders } = copy;
    if (!(await isInPlace(copy)))
      return { code: "not-written", detail: "The copy was moved.", path: copy.own };
    const limit = this.surroundings.limit();
    const sources: FileTree[] = [];
    let bytes = 0;
    for (const { folder } of folders) {
      const tree = await fileTree(folder, signal, { most: limit * MEASURED });
      sources.push(tree);
      bytes += tree.bytes;
    }
    if (bytes > limit) return { code: "too-large", detail: "", size: { bytes, limit } };

    const clock = path.join(copy.own, "clock");
    const scratch = () => path.join(copy.own, `new-${++this.lastScratch}`);
    const tools: SyncWork = {
      ...{ layout, signal, isKept, scratch },
      since: await timeIn(clock),
      copied: counter(work),
      led() {
        copy.isProven = false;
      },
    };
    let newest = 0;
    for (const [at, one] of folders.entries()) {
      await openTop(one);
      const own = await fileTree(one.copy, signal, { own: true });
      const synced = await syncFolder(one, sources[at] ?? own, own, tools);
      if (synced.problem) return synced.problem;
      newest = Math.max(newest, synced.newest);
    }
    if (!copy.isProven) {
      const tops = folders.flatMap((one) => repositoriesIn(one));
      const problem = await repositoryOutside(this.surroundings.git, tops, layout);
      if (problem) return problem;
      copy.isProven = true;
    }
    return later(clock, newest);
  }
}

/**
 * Lets git take a file of the copy for the one in its index by size and time alone: number and time
 * of change are the copy's own, so it would read every file after each time the index is copied.
 */
function gitVariables(): Readonly<Record<string, string>> {
  // The user's own settings of this kind stay alone: their count would be wrong.
  if (process.env.GIT_CONFIG_COUNT !== undefined) return {};
  return {
    ...{ GIT_CONFIG_COUNT: "3", GIT_CONFIG_KEY_0: "core.checkStat", GIT_CONFIG_VALUE_0: "minimal" },
    ...{ GIT_CONFIG_KEY_1: "core.trustctime", GIT_CONFIG_VALUE_1: "false" },
    // Paths are longer in a copy, and Windows alone knows this setting.
    ...{ GIT_CONFIG_KEY_2: "core.longpaths", GIT_CONFIG_VALUE_2: "true" },
  };
}

/** Tells which paths are kept: those named, and whatever is below one. */
function keptBy({ files, ignored }: KeptPaths): (place: string) => boolean {
  const named = new Set([...files, ...ignored]);
  return (place) => {
    if (named.size === 0) return false;
    for (let at = place; ; at = path.dirname(at)) {
      if (named.has(at)) return true;
      if (path.dirname(at) === at) return false;
    }
  };
}

/** False where a command put a link in the way to a copy: what it leads to is the user's. */
async function isInPlace(copy: Copy | null): Promise<boolean> {
  if (copy === null) return false;
  const above = copy.layout.folders.map((each) => path.dirname(each.copy));
  const isThere = await Promise.all(above.map((place) => lstat(place).catch(() => null)));
  return isThere.every((each) => each !== null) && haveNoLinks(above);
}

async function haveNoLinks(places: readonly string[]): Promise<boolean> {
  const real = await Promise.all(places.map((place) => realpath(place).catch(() => place)));
  return real.every((each, at) => each === places[at]);
}

async function newCopy(folders: readonly string[], room: string): Promise<Copy> {
  // A command may have removed it.
  await mkdir(room, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(path.join(room, "copy-"));
  const layout = copyLayout(folders, path.join(own, "files"));
  for (const { copy } of layout.folders) await mkdir(copy, { recursive: true });
  const handle = await open(own, "r");
  // Only Linux finds a folder by its handle.
  const root = process.platform === "linux" ? `/proc/self/fd/${handle.fd}/.` : own;
  const placed = layout.folders.map((each) => ({
    ...each,
    manifest: new Map(),
    opened: new OpenFolders(root, path.relative(own, each.copy)),
  }));
  return { own, handle, layout, folders: placed, isProven: false };
}

/** Makes sure that the copy of a folder can be looked at, whatever commands did to it. */
async function openTop({ folder, opened }: CopiedFolder): Promise<void> {
  const { mode } = await lstat(folder);
  await opened.within("", async (copy) => {
    if (!(await lstat(copy).catch(() => null))?.isDirectory()) {
      await removeTree(copy);
      await mkdir(copy);
    }
    await changeMode(copy, (mode & 0o7777) | 0o700);
  });
}

/** The copies of folders that hold a `.git`. */
function repositoriesIn({ copy, manifest }: CopiedFolder): readonly string[] {
  const names = [...manifest.keys()].filter((name) => path.basename(name) === ".git");
  return names.map((name) => path.join(copy, path.dirname(name)));
}

function counter({ tell }: BackendWork): (bytes: number) => void {
  let [files, bytes, told, toldBytes] = [0, 0, 0, 0];
  return (size) => {
    files++;
    bytes += size;
    if (files - told < TELL_FILES && bytes - toldBytes < TELL_BYTES) return;
    [told, toldBytes] = [files, bytes];
    tell({ files, bytes });
  };
}

/** The time of a file system, in milliseconds: that of a file made now, never one that is there. */
async function timeIn(file: string): Promise<number> {
  await rm(file, { recursive: true, force: true });
  await writeFile(file, "", { flag: "wx" });
  return (await lstat(file)).ctimeMs;
}

/** Waits until whatever is written now has a later time than what was copied. */
async function later(file: string, newest: number): Promise<ShadowProblem | null> {
  for (const end = Date.now() + CLOCK_WAIT_MS; (await timeIn(file)) <= newest; await pause(1))
    if (Date.now() > end)
      return { code: "not-written", detail: "The clock of the disk stands still.", path: file };
  return null;
}
