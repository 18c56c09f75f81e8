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
import { homedir } from "node:os";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { mountPoints } from "../files/mountPoints.ts";
import { changeMode } from "../files/openFolder.ts";
import { OpenFolders } from "../files/openFolders.ts";
import { removeTree } from "../files/removeTree.ts";
import { contains } from "../processes/gitRepository.ts";
import { inSandbox, wantedNetwork } from "../sandbox/inSandbox.ts";
import { changedPaths, type Differences, type FolderEntry } from "./changedPaths.ts";
import { mountOverlay, type OverlayLayer, type OverlayMount } from "./overlayMount.ts";
import type { KeptPaths, ShadowGround, ShownFolders } from "./shadowGround.ts";
import type { ShadowRoom } from "./shadowRoom.ts";

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
    const keys = this.room.sandbox.ok ? await this.emptyKeys(folders) : { list: "", emptied: [] };
    return ok(shownLayers(this.layers, mounted.value, this.room, keys));
  }

  /** Lists what is empty in a sandbox. */
  private async emptyKeys(folders: readonly string[]): Promise<EmptiedKeys> {
    const { keyFiles, folder } = this.room;
    const own = await keyFiles.inHome(homedir(), folders);
    const found = (await Promise.all(folders.map((each) => keyFiles.inWorkspace(each)))).flat();
    // Git does without its settings, so no command lacks them.
    const emptied = found
      .filter((each) => !/\/\.git\//.test(each))
      .map((each) => Buffer.from(each, "latin1").toString());
    const list = path.join(folder, `emptied-${randomUUID()}`);
    // Layers of other chats have what these propose.
    const rooms = Buffer.from(path.dirname(folder)).toString("latin1");
    const all = [...new Set([...own, ...found, rooms])].sort();
    await writeFile(list, all.map((each) => `${each}\0`).join(""), "latin1");
    return { list, emptied };
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

/** Files of the workspace that are empty in a sandbox, and the file that lists them and others. */
interface EmptiedKeys {
  readonly list: string;
  readonly emptied: readonly string[];
}

function shownLayers(
  layers: readonly OverlayLayer[],
  mount: OverlayMount,
  { folder: room, sandbox }: ShadowRoom,
  { list, emptied }: EmptiedKeys,
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
    newSandbox() {
      if (!sandbox.ok) return null;
      const report = path.join(room, `report-${randomUUID()}`);
      return {
        enter: (program) =>
          mount.enterAsOwner(inSandbox(program, { folders, emptied: list, report }, sandbox.value)),
        emptied,
        async wantedNetwork() {
          const wanted = await wantedNetwork(report);
          await rm(report, { force: true });
          return wanted;
        },
      };
    },
    refresh: async () => null,
    changedPaths: (git) =>
      changedPaths(folders, layerDifferences(layers, mount, within), mount, git),
    async end() {
      await mount.end();
      if (list !== "") await rm(list, { force: true });
    },
  };
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
