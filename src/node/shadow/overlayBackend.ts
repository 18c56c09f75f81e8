import { randomUUID } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { Sandbox, ShadowProblem } from "../../ports/commands/shadow.ts";
import { mountPoints } from "../files/mountPoints.ts";
import { changeMode } from "../files/openFolder.ts";
import { OpenFolders } from "../files/openFolders.ts";
import { removeTree } from "../files/removeTree.ts";
import { contains } from "../processes/gitRepository.ts";
import { withPlainFile } from "../processes/readPlain.ts";
import { inSandbox, placesList, wantedNetwork } from "../sandbox/inSandbox.ts";
import { namedKeys } from "../sandbox/namedKeys.ts";
import { sandboxHome } from "../sandbox/sandboxHome.ts";
import { changedPaths, type Differences, type FolderEntry } from "./changedPaths.ts";
import { mountOverlay, type OverlayLayer, type OverlayMount } from "./overlayMount.ts";
import {
  type KeptPaths,
  type ShadowBackend,
  type ShownFolders,
  writeProblem,
} from "./shadowBackend.ts";
import type { ShadowRoom } from "./shadowRoom.ts";

/**
 * Shows folders with changes by an overlay of the kernel. Changes of the user's files show through
 * wherever the shadow has none of its own.
 */
export class OverlayBackend implements ShadowBackend {
  readonly name = "overlay";
  private readonly room: ShadowRoom;
  private layers: readonly OverlayLayer[] = [];

  constructor(room: ShadowRoom) {
    this.room = room;
  }

  async show(
    folders: readonly string[],
    kept: KeptPaths,
  ): Promise<Result<ShownFolders, ShadowProblem>> {
    // An overlay would show what is mounted there as an empty folder.
    const [inside] = await mountPoints(folders);
    if (inside !== undefined) return err({ code: "mount-inside", detail: inside });
    await this.prepare(folders, kept);
    const mounted = await mountOverlay(this.layers, this.room.programs);
    if (!mounted.ok) return mounted;
    return ok(shownLayers(this.layers, mounted.value, this.room));
  }

  async remove(): Promise<void> {
    for (const { upper } of this.layers) await removeTree(path.dirname(upper));
    this.layers = [];
  }

  /**
   * Makes empty layers, with what stays. A layer is never changed from outside: the kernel would
   * mix up files that were moved in it.
   */
  private async prepare(folders: readonly string[], kept: KeptPaths): Promise<void> {
    const before = this.layers;
    const layers: OverlayLayer[] = [];
    for (const folder of folders) {
      const own = await mkdtemp(path.join(this.room.folder, "layer-"));
      const [upper, work] = [path.join(own, "upper"), path.join(own, "work")];
      await mkdir(upper);
      await chmod(upper, (await lstat(folder)).mode);
      await mkdir(work);
      layers.push({ folder, upper, work });
    }
    for (const place of kept.files) await carry(before, layers, place, copyCarried);
    for (const place of kept.ignored) await carry(before, layers, place, moveCarried);
    this.layers = layers;
    for (const { upper } of before) await removeTree(path.dirname(upper));
  }
}

function shownLayers(
  layers: readonly OverlayLayer[],
  mount: OverlayMount,
  room: ShadowRoom,
): ShownFolders {
  const folders = layers.map(({ folder }) => folder);
  const opened = folders.map((folder) => ({ folder, at: new OpenFolders(mount.inside(folder)) }));
  const within: ShownFolders["within"] = (place, work) => {
    const found = opened.find(({ folder }) => contains(folder, place));
    if (found === undefined) throw new Error(`${place} is not in the shadow.`);
    return found.at.within(path.relative(found.folder, place), work);
  };
  return {
    folders,
    get isHeld() {
      return mount.isHeld;
    },
    inside: (place) => mount.inside(place),
    within,
    seen: (place) => place,
    sourceOf: (target) => target,
    enter: (program, through) => mount.enter(program, through),
    newSandbox: () => newSandbox(folders, mount, room),
    refresh: async () => null,
    changedPaths: (git) =>
      changedPaths(folders, layerDifferences(layers, mount, within), mount, git),
    end: () => mount.end(),
  };
}

/** Looks for keys before each command: the user may have put some there since the last one. */
async function newSandbox(
  folders: readonly string[],
  mount: OverlayMount,
  { folder, sandbox, keyFiles }: ShadowRoom,
): Promise<Result<Sandbox, ShadowProblem>> {
  if (!sandbox.ok) return sandbox;
  const home = await sandboxHome(folders);
  if (home === null) return err({ code: "holds-home", detail: "" });
  const id = randomUUID();
  const [places, report] = [path.join(folder, `places-${id}`), path.join(folder, `report-${id}`)];
  const found = await Promise.all(folders.map((each) => keyFiles.in(each, folders)));
  const beside = await Promise.all(home.programs.map((each) => keyFiles.in(each, [each])));
  // Layers of other chats have what these propose.
  const others = [...(await namedKeys(home, folders)), path.dirname(folder)];
  const bytes = others.map((each) => Buffer.from(each).toString("latin1"));
  const keys = [...found.flat(), ...beside.flat(), ...bytes];
  try {
    await writeFile(places, placesList(home, keys), "latin1");
  } catch (error) {
    return err(writeProblem(error, places));
  }
  return ok({
    enter: (program) =>
      mount.enterAsOwner(inSandbox(program, { folders, places, report }, sandbox.value)),
    // Git does without its settings, so no command lacks them.
    emptied: found
      .flat()
      .filter((each) => !/\/\.git\//.test(each))
      .map((each) => Buffer.from(each, "latin1").toString()),
    async wantedNetwork() {
      const wanted = await wantedNetwork(report);
      await rm(report, { force: true });
      await rm(places, { force: true });
      return wanted;
    },
  });
}

/** The upper layers have what changed: looking costs as much as that, not as the folders. */
function layerDifferences(
  layers: readonly OverlayLayer[],
  mount: OverlayMount,
  within: ShownFolders["within"],
): Differences {
  const sides = layers.map(({ folder, upper }) => ({
    ...{ folder, upper: new OpenFolders(upper), user: new OpenFolders(folder) },
  }));
  const entriesOf = async (side: "upper" | "user", folder: string) => {
    const found = sides.find((each) => contains(each.folder, folder));
    return found ? entriesIn(found[side], path.relative(found.folder, folder)) : [];
  };
  return {
    async in(folder) {
      // Nothing can take the place of what is mounted.
      if (layers.some((layer) => layer.folder === folder)) await openUp(mount.inside(folder));
      else await within(folder, openUp).catch(() => undefined);
      const names = new Set((await entriesIn({ within }, folder)).map(({ name }) => name));
      return {
        changed: (await entriesOf("upper", folder)).filter(({ name }) => names.has(name)),
        gone: (await entriesOf("user", folder)).filter(({ name }) => !names.has(name)),
      };
    },
    before: (folder) => entriesOf("user", folder),
    inside: (place) => mount.inside(place),
  };
}

/** A folder that a command closed to its own user would look empty, and its files gone. */
async function openUp(folder: string): Promise<void> {
  const entry = await lstat(folder).catch(() => null);
  if (entry?.isDirectory() && (entry.mode & 0o500) !== 0o500)
    await changeMode(folder, (entry.mode & 0o7777) | 0o700).catch(() => undefined);
}

/** What is in a folder, through it as it is opened: a link in its place, or on the way, has nothing. */
async function entriesIn(
  folders: Pick<OpenFolders, "within">,
  folder: string,
): Promise<FolderEntry[]> {
  const list = (entry: string) => readdir(path.dirname(entry), { withFileTypes: true });
  const entries = await folders.within(path.join(folder, "any"), list).catch((): Dirent[] => []);
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

/** The most bytes of a file that is copied: one with holes could take days. */
const MOST_CARRIED = 1_000_000_000;

/**
 * Takes what the old layers have at a path over to the new ones. Commands made what is there: what a
 * link leads to is the user's, so none is followed.
 */
async function carry(
  before: readonly OverlayLayer[],
  after: readonly OverlayLayer[],
  place: string,
  move: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const at = before.findIndex(({ folder }) => contains(folder, place));
  const [from, to] = [before[at], after[at]];
  if (!from || !to) return;
  const relative = path.relative(from.folder, place);
  const [old, made] = [new OpenFolders(from.upper), new OpenFolders(to.upper)];
  let folder = "";
  try {
    for (const name of relative.split(path.sep).slice(0, -1)) {
      folder = path.join(folder, name);
      const entry = await old.within(folder, (own) => lstat(own));
      if (!entry.isDirectory()) return;
      await made.within(folder, async (own) => {
        if (await lstat(own).catch(() => null)) return;
        await mkdir(own);
        await chmod(own, entry.mode);
      });
    }
    await old.within(relative, (own) => made.within(relative, (target) => move(own, target)));
  } catch {
    // It is gone, or a link is on the way.
  }
}

async function copyCarried(from: string, to: string): Promise<void> {
  const entry = await lstat(from);
  if (entry.isSymbolicLink()) return symlink(await readlink(from), to);
  await withPlainFile(from, true, async ({ fd }, { size }) => {
    if (size <= MOST_CARRIED) await copyFile(`/proc/self/fd/${fd}`, to, constants.COPYFILE_EXCL);
  });
}

async function moveCarried(from: string, to: string): Promise<void> {
  const entry = await lstat(from);
  if (entry.isFile() || entry.isDirectory()) await rename(from, to);
}
