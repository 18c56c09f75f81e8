import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { CommandPlace } from "../../ports/commands/process.ts";
import type {
  ProposedFile,
  Shadow,
  ShadowChange,
  ShadowChanges,
  ShadowProblem,
} from "../../ports/commands/shadow.ts";
import { contains } from "../processes/gitRepository.ts";
import { changedPaths } from "./changedPaths.ts";
import { bytesOf, textOf } from "./fileText.ts";
import { mountOverlay, type OverlayLayer, type OverlayMount } from "./overlayMount.ts";
import { removeTree } from "./removeTree.ts";
import { shadowFolders } from "./shadowFolders.ts";
import type { ShadowRoom } from "./shadowRoom.ts";

/** What a shadow is known to have at a path where it differs from the user's file. */
interface Known {
  /** The hash of its bytes; null where there is nothing. */
  readonly hash: string | null;
  /** True for what cannot be proposed: it stays. */
  readonly stays: boolean;
}

/** Where the shadow is, and what it may use. */
export interface OverlaySurroundings {
  readonly room: ShadowRoom;
  /** The absolute path of git, or null. */
  readonly git: string | null;
  /** The workspace's folders as they are now, as absolute paths. */
  folders(): readonly string[];
}

/** Where nobody ran anything. */
export const NOTHING_FOUND: ShadowChanges = {
  changes: [],
  unshown: [],
  ignored: [],
  repository: false,
  truncated: false,
};

/**
 * A shadow by an overlay of the kernel, mounted while a command is in it. Changes of the user's
 * files show through wherever the shadow has none of its own.
 */
export class OverlayShadow implements Shadow {
  private readonly surroundings: OverlaySurroundings;
  private readonly queue = new SerialQueue();
  private readonly known = new Map<string, Known>();
  private readonly named = new Set<string>();
  private layers: readonly OverlayLayer[] = [];
  private mount: OverlayMount | null = null;
  private visits = 0;
  /** Ignored paths that only the shadow has; they outlast what is mounted. */
  private ignored: readonly string[] = [];
  /** What it was last told to show. */
  private proposed: readonly ProposedFile[] = [];

  constructor(surroundings: OverlaySurroundings) {
    this.surroundings = surroundings;
  }

  collect(signal: AbortSignal): Promise<ShadowChanges> {
    return this.queue.run(async () => {
      const { mount } = this;
      if (mount === null || signal.aborted) return NOTHING_FOUND;
      const found = await this.changesIn(mount);
      const ignored = found.ignored.filter((place) => !this.named.has(place));
      for (const place of ignored) this.named.add(place);
      return { ...found, ignored };
    });
  }

  drop(): Promise<void> {
    return this.queue.run(async () => {
      if (this.mount !== null && this.visits === 1) await this.changesIn(this.mount);
    });
  }

  isUsed(): Promise<boolean> {
    return this.queue.run(async () => this.visits > 0);
  }

  enter(
    files: readonly ProposedFile[],
    signal: AbortSignal,
  ): Promise<Result<CommandPlace, ShadowProblem>> {
    return this.queue.run(async () => {
      if (signal.aborted) return err({ code: "not-mounted", detail: "" });
      this.proposed = files;
      const wanted = new Map<string, ProposedFile>();
      for (const file of files) wanted.set(fileURLToPath(file.file.uri), file);
      if (this.mount?.isHeld === false && this.visits === 0) this.mount = null;
      const isShared = this.mount !== null;
      if (this.mount === null) {
        const prepared = await this.prepare();
        if (!prepared.ok) return prepared;
        const mounted = await mountOverlay(this.layers, this.surroundings.room.programs);
        if (!mounted.ok) return mounted;
        this.mount = mounted.value;
      }
      const { mount } = this;
      const dropped = [...this.known].flatMap(([place, { stays }]) =>
        stays || wanted.has(place) ? [] : [place],
      );
      const problem = await this.place(mount, wanted, dropped, isShared);
      if (problem === null) this.visits++;
      else await this.endUnused();
      return problem === null ? ok(mount) : err(problem);
    });
  }

  private async place(
    mount: OverlayMount,
    wanted: ReadonlyMap<string, ProposedFile>,
    dropped: readonly string[],
    isShared: boolean,
  ): Promise<ShadowProblem | null> {
    // What a command in the background changed stays until it is collected.
    const isOurs = async (place: string) => !isShared || !(await this.isTouched(mount, place));
    let now = "";
    try {
      for (now of dropped) {
        if (!(await isOurs(now))) continue;
        await restore(now, await this.open(mount, now));
        this.known.delete(now);
      }
      for (const [place, file] of wanted) {
        now = place;
        if (!(await isOurs(place))) continue;
        const hash = await put(place, await this.open(mount, place), file);
        this.known.set(place, { hash, stays: false });
      }
      return null;
    } catch (error) {
      return { code: "not-written", path: now, detail: String(error) };
    }
  }

  /**
   * Where a path is in the shadow, with real folders on the way: what a command put in their place
   * is removed, since a link would lead out.
   */
  private async open(mount: OverlayMount, place: string): Promise<string> {
    const top = this.layers.find(({ folder }) => contains(folder, place))?.folder;
    if (top === undefined) throw new Error("It is outside of the workspace.");
    let at = top;
    for (const name of path.relative(top, path.dirname(place)).split(path.sep).filter(Boolean)) {
      at = path.join(at, name);
      const entry = await lstat(mount.inside(at)).catch(() => null);
      if (entry && !entry.isDirectory()) await rm(mount.inside(at));
    }
    const own = mount.inside(place);
    const entry = await lstat(own).catch(() => null);
    if (entry && !entry.isFile()) await rm(own, { recursive: true });
    return own;
  }

  /** True where a command changed what is at a path, and nobody has collected that. */
  private async isTouched(mount: OverlayMount, place: string): Promise<boolean> {
    const known = this.known.get(place);
    const { hash } = await this.look(mount, place);
    return hash !== (known ? known.hash : await hashBelow(place));
  }

  private async look(mount: OverlayMount, place: string) {
    const entry = await this.find(mount, place);
    const bytes = entry?.isFile() ? await readPlain(mount.inside(place)) : null;
    const hash = entry === null ? null : hashOf(bytes ?? Buffer.from(`${entry.mode}`));
    return { entry, bytes, hash };
  }

  /** What is at a path in the shadow; null where a link is on the way. */
  private async find(mount: OverlayMount, place: string): Promise<Stats | null> {
    const top = this.layers.find(({ folder }) => contains(folder, place))?.folder ?? place;
    let at = top;
    for (const name of path.relative(top, path.dirname(place)).split(path.sep).filter(Boolean)) {
      at = path.join(at, name);
      const entry = await lstat(mount.inside(at)).catch(() => null);
      if (!entry?.isDirectory()) return null;
    }
    return lstat(mount.inside(place)).catch(() => null);
  }

  leave(): Promise<void> {
    return this.queue.run(async () => {
      this.visits--;
      await this.endUnused();
    });
  }

  private async endUnused(): Promise<void> {
    if (this.visits > 0) return;
    await this.mount?.end();
    this.mount = null;
  }

  async keep(place: string): Promise<Result<null, string>> {
    const entered = await this.enter(this.proposed, new AbortController().signal);
    if (!entered.ok) return err(entered.error.detail);
    const beside = `${place}.graft-${process.pid}`;
    try {
      // Read as it is mounted: a part of it may be the user's own, unchanged.
      const own = this.mount?.inside(place) ?? place;
      await cp(own, beside, { recursive: true, verbatimSymlinks: true });
      await rm(place, { recursive: true, force: true });
      await rename(beside, place);
      return ok(null);
    } catch (error) {
      await rm(beside, { recursive: true, force: true }).catch(() => undefined);
      return err(String(error));
    } finally {
      await this.leave();
    }
  }

  /** Ends what is mounted, and removes all that the shadow has. */
  dispose(): Promise<void> {
    return this.queue.run(async () => {
      await this.mount?.end();
      this.mount = null;
      await this.forget();
    });
  }

  /**
   * Makes empty layers, with what stays. A layer is never changed from outside: the kernel would
   * mix up files that were moved in it.
   */
  private async prepare(): Promise<Result<null, ShadowProblem>> {
    const folders = await shadowFolders(this.surroundings.folders());
    if (folders.length === 0) return err({ code: "no-folder", detail: "" });
    const before = this.layers;
    const isSame = folders.join("\0") === before.map(({ folder }) => folder).join("\0");
    const layers: OverlayLayer[] = [];
    for (const folder of folders) {
      const own = await mkdtemp(path.join(this.surroundings.room.folder, "layer-"));
      const [upper, work] = [path.join(own, "upper"), path.join(own, "work")];
      await mkdir(upper);
      await chmod(upper, (await lstat(folder)).mode);
      await mkdir(work);
      layers.push({ folder, upper, work });
    }
    const stays = [...this.known].filter(([, known]) => known.stays);
    if (isSame) {
      for (const [place] of stays) await carry(before, layers, place, copyFile);
      for (const place of this.ignored) await carry(before, layers, place, rename);
    }
    this.known.clear();
    if (isSame) for (const [place, known] of stays) this.known.set(place, known);
    this.layers = layers;
    for (const { upper } of before) await removeTree(path.dirname(upper));
    return ok(null);
  }

  private async forget(): Promise<void> {
    for (const { upper } of this.layers) await removeTree(path.dirname(upper));
    this.layers = [];
    this.ignored = [];
    this.named.clear();
    this.known.clear();
  }

  private async changesIn(mount: OverlayMount): Promise<ShadowChanges> {
    const found = await changedPaths(this.layers, mount, this.surroundings.git);
    const changes: ShadowChange[] = [];
    const unshown: string[] = [];
    const now = new Map<string, Known>();
    // What was proposed and is in no folder below leaves no mark where it is deleted.
    const lost = [...this.known].flatMap(([place, { hash }]) => (hash === null ? [] : [place]));
    for (const place of new Set([...found.written, ...found.gone, ...lost])) {
      const { entry, bytes, hash } = await this.look(mount, place);
      if (entry?.isDirectory()) continue;
      const known = this.known.get(place);
      if (known ? known.hash === hash : hash === (await hashBelow(place))) continue;
      const text = bytes && textOf(bytes, await readPlain(place));
      const stays = entry !== null && text === null;
      now.set(place, { hash, stays });
      if (stays) unshown.push(place);
      else changes.push({ path: place, text });
    }
    for (const [place, state] of now) this.known.set(place, state);
    this.ignored = found.ignored;
    const { ignored, repository, truncated } = found;
    return { changes, unshown, ignored, repository, truncated };
  }
}

/** The bytes of a file; null for all else: reading a pipe would never end. */
async function readPlain(place: string): Promise<Buffer | null> {
  const entry = await stat(place).catch(() => null);
  return entry?.isFile() ? readFile(place).catch(() => null) : null;
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function hashBelow(place: string): Promise<string | null> {
  const bytes = await readPlain(place);
  return bytes && hashOf(bytes);
}

/** Puts a proposed file in place; gives its hash. */
async function put(
  place: string,
  own: string,
  { text, movedFrom }: ProposedFile,
): Promise<string | null> {
  if (text === null && !movedFrom) {
    await rm(own, { force: true });
    return null;
  }
  const like = await readPlain(movedFrom ? fileURLToPath(movedFrom.uri) : place);
  const bytes = text === null ? (like ?? Buffer.alloc(0)) : bytesOf(text, like);
  const now = await readPlain(own);
  if (now === null || !now.equals(bytes)) {
    await mkdir(path.dirname(own), { recursive: true });
    await writeFile(own, bytes).catch(async (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EOVERFLOW")) throw error;
      // The kernel cannot copy a file whose owner or group is not mapped; a new one can stand for it.
      const { mode } = await stat(own);
      await rm(own);
      await writeFile(own, bytes);
      await chmod(own, mode);
    });
  }
  return hashOf(bytes);
}

/** Makes a path as it is in the user's folders, as a copy. */
async function restore(place: string, own: string): Promise<void> {
  const below = await readPlain(place);
  if (below === null) return rm(own, { force: true, recursive: true });
  await mkdir(path.dirname(own), { recursive: true });
  await copyFile(place, own);
}

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
  if (entry?.isFile() || entry?.isDirectory())
    await move(path.join(from.upper, relative), path.join(to.upper, relative)).catch(
      () => undefined,
    );
}
