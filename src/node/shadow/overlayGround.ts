import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
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
import { inSandbox, placesList, wantedNetwork } from "../sandbox/inSandbox.ts";
import { namedKeys } from "../sandbox/keyFiles.ts";
import { sandboxHome } from "../sandbox/sandboxHome.ts";
import { changedPaths, type Differences, type FolderEntry } from "./changedPaths.ts";
import { mountOverlay, type OverlayLayer, type OverlayMount } from "./overlayMount.ts";
import type { KeptPaths, ShadowGround, ShownFolders } from "./shadowGround.ts";
import type { ShadowRoom } from "./shadowRoom.ts";
import { writeProblem } from "./writeProblem.ts";

/**
 * Shows folders with changes by an overlay of the kernel. Changes of the user's files show through
 * wherever the shadow has none of its own.
 */
export class OverlayGround implements ShadowGround {
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
    for (const place of kept.files) await carry(before, layers, place, copyFile);
    for (const place of kept.ignored) await carry(before, layers, place, rename);
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
    enter: (program) => mount.enter(program),
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
  const found = await Promise.all(folders.map((each) => keyFiles.inWorkspace(each, folders)));
  const beside = await Promise.all(home.programs.map((each) => keyFiles.inFolder(each)));
  // Layers of other chats have what these propose.
  const rooms = Buffer.from(path.dirname(folder)).toString("latin1");
  const keys = [...found.flat(), ...beside.flat(), ...namedKeys(), rooms];
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
  return {
    async in(folder) {
      const layer = layers.find((each) => contains(each.folder, folder));
      const upper = layer && path.join(layer.upper, path.relative(layer.folder, folder));
      // Nothing can take the place of what is mounted.
      if (folder === layer?.folder) await openUp(mount.inside(folder));
      else await within(folder, openUp).catch(() => undefined);
      const entries = upper === undefined ? [] : await listEntries(upper);
      const names = new Set((await listEntries(mount.inside(folder))).map(({ name }) => name));
      return {
        changed: entries.filter(({ name }) => names.has(name)),
        gone: (await listEntries(folder)).filter(({ name }) => !names.has(name)),
      };
    },
    before: listEntries,
    inside: (place) => mount.inside(place),
  };
}

/** A folder that a command closed to its own user would look empty, and its files gone. */
async function openUp(folder: string): Promise<void> {
  const entry = await lstat(folder).catch(() => null);
  if (entry?.isDirectory() && (entry.mode & 0o500) !== 0o500)
    await changeMode(folder, (entry.mode & 0o7777) | 0o700).catch(() => undefined);
}

async function listEntries(folder: string): Promise<FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

/** The most bytes of a file that is copied: one with holes could take days. */
const MOST_CARRIED = 1_000_000_000;

/** Takes what the old layers have at a path over to the new ones. */
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
  let folder = "";
  for (const name of path.dirname(relative).split(path.sep)) {
    folder = path.join(folder, name);
    const made = path.join(to.upper, folder);
    const { mode } = (await lstat(path.join(from.upper, folder)).catch(() => null)) ?? {
      mode: 0o755,
    };
    if (
      await mkdir(made).then(
        () => true,
        () => false,
      )
    )
      await chmod(made, mode);
  }
  // A link stays behind, and a pipe, whose copy would never end.
  const entry = await lstat(path.join(from.upper, relative)).catch(() => null);
  if (move === copyFile && (entry?.size ?? 0) > MOST_CARRIED) return;
  if (entry?.isFile() || entry?.isDirectory())
    await move(path.join(from.upper, relative), path.join(to.upper, relative)).catch(
      () => undefined,
    );
}
