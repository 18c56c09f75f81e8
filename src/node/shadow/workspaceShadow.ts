import { lstat } from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type {
  Confined,
  CopyProgress,
  IgnoredFolder,
  KeepProblem,
  KeptDifference,
  ProposedFile,
  Shadow,
  ShadowChanges,
  ShadowPlace,
  ShadowProblem,
} from "../../ports/commands/shadow.ts";
import { OpenFolders } from "../files/openFolders.ts";
import { removeTree } from "../files/removeTree.ts";
import { contains } from "../processes/gitRepository.ts";
import { gitWaitsFor } from "../processes/gitWaits.ts";
import type { Confine } from "../sandbox/confinement.ts";
import { carryOut, type KeptPlaces, keepPlan } from "./keptFolder.ts";
import { KnownFiles } from "./knownFiles.ts";
import type { BackendWork, KeptPaths, ShadowBackend, ShownFolders } from "./shadowBackend.ts";
import type { ShadowFolders } from "./shadowFolders.ts";
import { newTemporaryFolder } from "./shadowRoom.ts";

/** What the shadow shows and may use. */
export interface ShadowSurroundings {
  readonly backend: ShadowBackend;
  /** The absolute path of git, or null. */
  readonly git: string | null;
  /** Null where this machine cannot confine a program. */
  confine(): Promise<Confine | null>;
  /** What it shows now. */
  folders(): Promise<ShadowFolders>;
}

const NO_FOLDERS: ShadowFolders = {
  folders: [],
  real: (place) => place,
  spelled: (place) => place,
};

/** Where nobody ran anything. */
export const NOTHING_FOUND: ShadowChanges = {
  changes: [],
  modes: [],
  unshown: [],
  ignored: [],
  ignoredFolders: [],
  repository: false,
  truncated: false,
  problem: null,
};

/** A shadow of the workspace, which is shown while a command is in it. */
export class WorkspaceShadow implements Shadow {
  private readonly surroundings: ShadowSurroundings;
  private readonly queue = new SerialQueue();
  private files = new KnownFiles();
  private readonly named = new Set<string>();
  /** Ignored paths that were named, and went with all that the shadow had. */
  private readonly lost = new Set<string>();
  private shown: ShownFolders | null = null;
  /** What it showed last. */
  private folders: ShadowFolders = NO_FOLDERS;
  private visits = 0;
  /** Ignored paths that only the shadow has; they outlast what is shown. */
  private ignored: readonly string[] = [];
  /** What it was last told to show. */
  private proposed: readonly ProposedFile[] = [];

  constructor(surroundings: ShadowSurroundings) {
    this.surroundings = surroundings;
  }

  collect(signal: AbortSignal): Promise<ShadowChanges> {
    return this.queue.run(async () => {
      const { shown } = this;
      if (shown !== null && signal.aborted) this.dropKept();
      if (shown === null || signal.aborted) return NOTHING_FOUND;
      const found = await this.changesIn(shown);
      const ignored = found.ignored.filter((place) => !this.named.has(place));
      for (const place of ignored) {
        this.named.add(place);
        this.lost.delete(this.folders.real(place));
      }
      const ignoredFolders = found.ignoredFolders.filter((each) => ignored.includes(each.path));
      return { ...found, ignored, ignoredFolders };
    });
  }

  drop(): Promise<void> {
    return this.queue.run(async () => {
      if (this.shown !== null && this.visits === 1) await this.changesIn(this.shown);
    });
  }

  isUsed(): Promise<boolean> {
    return this.queue.run(async () => this.visits > 0);
  }

  enter(
    files: readonly ProposedFile[],
    signal: AbortSignal,
    tell: (copied: CopyProgress) => void = () => undefined,
  ): Promise<Result<ShadowPlace, ShadowProblem>> {
    return this.queue.run(async () => {
      if (signal.aborted) return err({ code: "not-mounted", detail: "" });
      this.proposed = files;
      if (this.shown?.isHeld === false && this.visits === 0) this.shown = null;
      const isShared = this.shown !== null;
      const ready = await this.show({ signal, tell });
      if (!ready.ok) return ready;
      const shown = ready.value;
      const wanted = new Map<string, ProposedFile>();
      for (const file of files) wanted.set(this.folders.real(fileURLToPath(file.file.uri)), file);
      const problem =
        (isShared ? null : await this.gitProblem(shown)) ??
        (await this.files.put(shown, wanted, isShared));
      if (problem === null) this.visits++;
      else await this.endUnused();
      // What commands left must not fill it for good.
      if (problem?.code === "disk-full") this.dropKept();
      return problem === null ? ok(this.placeIn(shown)) : err(problem);
    });
  }

  /** Shows the folders, with what stays of the last time, or what the user changed meanwhile. */
  private async show(work: BackendWork): Promise<Result<ShownFolders, ShadowProblem>> {
    if (this.shown !== null) {
      const problem = await this.shown.refresh(work);
      return problem === null ? ok(this.shown) : err(problem);
    }
    const folders = await this.surroundings.folders();
    const paths = folders.folders;
    if (paths.length === 0) return err({ code: "no-folder", detail: "" });
    const isSame = paths.join("\0") === this.folders.folders.join("\0");
    const kept: KeptPaths = isSame
      ? { files: this.files.staying(), ignored: this.ignored }
      : { files: [], ignored: [] };
    const shown = await this.surroundings.backend.show(paths, kept, work);
    if (!shown.ok) return shown;
    this.files.dropOthers();
    if (!isSame) this.files.dropStaying();
    this.folders = folders;
    this.shown = shown.value;
    return shown;
  }

  private placeIn(shown: ShownFolders): ShadowPlace {
    const { real } = this.folders;
    return {
      backend: this.surroundings.backend.name,
      enter: (program) => shown.enter({ ...program, cwd: real(program.cwd) }),
      confine: (writes) => this.confine(shown, writes),
      newSandbox: async () => {
        const sandbox = await shown.newSandbox();
        if (!sandbox.ok) return sandbox;
        const { enter } = sandbox.value;
        return ok({
          ...sandbox.value,
          enter: (program) => enter({ ...program, cwd: real(program.cwd) }),
        });
      },
      at: ({ uri }) => (uri.startsWith("file:") ? shown.seen(real(fileURLToPath(uri))) : null),
    };
  }

  private async confine(shown: ShownFolders, writes: readonly string[]): Promise<Confined | null> {
    const confine = await this.surroundings.confine();
    const temporary = confine && (await newTemporaryFolder());
    if (!confine || temporary === null) return null;
    const { real } = this.folders;
    const own = shown.folders.flatMap((folder) => shown.seen(folder) ?? []);
    const through = confine([...own, temporary, ...writes]);
    return {
      enter(program) {
        const variables = { ...program.variables, TMPDIR: temporary };
        return shown.enter({ ...program, cwd: real(program.cwd), variables }, through);
      },
      end: () => removeTree(temporary),
    };
  }

  leave(): Promise<void> {
    return this.queue.run(async () => {
      this.visits--;
      await this.endUnused();
    });
  }

  private async endUnused(): Promise<void> {
    if (this.visits > 0) return;
    await this.shown?.end();
    this.shown = null;
  }

  compare(named: string): Promise<Result<KeptDifference, KeepProblem>> {
    return this.beside(named, async (places) => ok((await keepPlan(places)).difference));
  }

  keepFolder(
    named: string,
    agreed: KeptDifference,
    removes: boolean,
  ): Promise<Result<number, KeepProblem>> {
    return this.beside(named, async (places) => {
      const plan = await keepPlan(places);
      if (plan.difference.id !== agreed.id) return err({ code: "changed" });
      return ok(await carryOut(plan, places, removes));
    });
  }

  /** Works on a folder as the shadow and the user have it. */
  private async beside<T>(
    named: string,
    work: (places: KeptPlaces) => Promise<Result<T, KeepProblem>>,
  ): Promise<Result<T, KeepProblem>> {
    const place = this.folders.real(named);
    // A folder that is gone there must not be taken for one that a command emptied.
    if (this.lost.has(place))
      return err({ code: "failed", detail: "The copy that had it was removed." });
    const entered = await this.enter(this.proposed, new AbortController().signal);
    if (!entered.ok) return err({ code: "failed", detail: entered.error.detail });
    try {
      const { shown } = this;
      const top = shown?.folders.find((folder) => contains(folder, place));
      if (!shown || top === undefined || top === place) throw new Error(`${named} is no folder.`);
      const user = new OpenFolders(top);
      return await work({
        place,
        shadow: (at, each) => shown.within(at, each),
        user: (at, each) => user.within(path.relative(top, at), each),
        sourceOf: (target) => shown.sourceOf(target),
      });
    } catch (error) {
      return err({ code: "failed", detail: String(error) });
    } finally {
      await this.leave();
    }
  }

  /** Ends what is shown, and removes all that the shadow has. */
  dispose(): Promise<void> {
    return this.queue.run(() => this.removeAll());
  }

  /** The same, unless a command stays in it: then false. It can be entered again. */
  forget(): Promise<boolean> {
    return this.queue.run(async () => {
      if (this.visits > 0) return false;
      this.dropKept();
      await this.removeAll();
      return true;
    });
  }

  /** Lets nothing outlast what is shown: nobody looked at what is there now. */
  private dropKept(): void {
    for (const place of this.named) this.lost.add(this.folders.real(place));
    this.named.clear();
    this.ignored = [];
    this.files.dropStaying();
  }

  private async removeAll(): Promise<void> {
    await this.shown?.end();
    this.shown = null;
    await this.surroundings.backend.remove();
    this.ignored = [];
    this.named.clear();
    this.files = new KnownFiles();
  }

  private async changesIn(shown: ShownFolders): Promise<ShadowChanges> {
    const all = await shown.changedPaths(this.surroundings.git);
    if (!all.ok) {
      this.dropKept();
      return { ...NOTHING_FOUND, problem: this.spelledProblem(shown, all.error) };
    }
    const found = all.value;
    const { spelled } = this.folders;
    const changed = await this.files.changesAmong(shown, found, spelled);
    this.ignored = found.ignored;
    const { repository, truncated } = found;
    const ignored = found.ignored.map(spelled);
    const ignoredFolders = await this.foldersAmong(shown, found.ignored);
    return { ...changed, ignored, ignoredFolders, repository, truncated, problem: null };
  }

  private spelledProblem(shown: ShownFolders, problem: ShadowProblem): ShadowProblem {
    const place = problem.path && shown.sourceOf(problem.path);
    return place ? { ...problem, path: this.folders.spelled(place) } : problem;
  }

  /** Why nobody could tell what a command changes, or null. */
  private async gitProblem(shown: ShownFolders): Promise<ShadowProblem | null> {
    const { git } = this.surroundings;
    for (const folder of git === null ? [] : shown.folders) {
      const inside = (place: string) => (shown.seen(place) === null ? place : shown.inside(place));
      const waiting = git && (await gitWaitsFor(folder, { git, inside }));
      const problem = { code: "git-waits", detail: "", path: waiting ?? "" } as const;
      if (waiting) return this.spelledProblem(shown, problem);
    }
    return null;
  }

  private async foldersAmong(
    shown: ShownFolders,
    places: readonly string[],
  ): Promise<readonly IgnoredFolder[]> {
    const found: IgnoredFolder[] = [];
    for (const place of places) {
      const entry = await shown.within(place, (own) => lstat(own)).catch(() => null);
      if (!entry?.isDirectory()) continue;
      const own = await lstat(place).catch(() => null);
      found.push({ path: this.folders.spelled(place), isNew: own === null });
    }
    return found;
  }
}
