import { err, ok, type Result } from "../../base/result.ts";
import type { Ground, ShadowProblem, Shadows } from "../../ports/commands/shadow.ts";
import { programOnPath } from "../processes/programOnPath.ts";
import { CopyGround, MEASURED } from "./copyGround.ts";
import { fileTree } from "./fileTree.ts";
import { OverlayGround } from "./overlayGround.ts";
import { removeTree } from "./removeTree.ts";
import { shadowFolders } from "./shadowFolders.ts";
import type { ShadowGround } from "./shadowGround.ts";
import { openCopyRoom, openShadowRoom } from "./shadowRoom.ts";
import { NOTHING_FOUND, WorkspaceShadow } from "./workspaceShadow.ts";

/** The most that a copy may hold where no setting says so, in megabytes. */
export const COPY_LIMIT_MB = 2_048;
const MEGABYTE = 1_048_576;

/** What all shadows of a window are made with. */
interface Opened {
  readonly git: string | null;
  readonly noOverlay: ShadowProblem | null;
  readonly made: Result<OpenedGround, ShadowProblem>;
}

interface OpenedGround {
  readonly name: Ground;
  /** Holds what all of them have. */
  readonly folder: string;
  newGround(): ShadowGround;
}

/**
 * Shadows of these workspace folders, absolute paths, on this machine. A copy may have `limit`
 * megabytes.
 */
export function createNodeShadows(
  folders: () => readonly string[],
  limit: () => number = () => COPY_LIMIT_MB,
): Shadows {
  const limitBytes = () => limit() * MEGABYTE;
  let opening: Promise<Opened> | null = null;
  const open = () => (opening ??= openGround(folders(), limitBytes));
  /** What was found out about a copy; it counts as long as the limit is the same. */
  let copy: { readonly limit: number; readonly problem: ShadowProblem | null } | null = null;
  const remember = (problem: ShadowProblem | null) => {
    copy = { limit: limit(), problem };
  };
  const problem = async (): Promise<ShadowProblem | null> => {
    const { made } = await open();
    if (!made.ok) return made.error;
    if (made.value.name === "overlay") return null;
    if (copy?.limit !== limit()) remember(await sizeProblem(folders(), limitBytes()));
    return copy?.problem ?? null;
  };
  const shadows = new Map<string, Promise<Result<WorkspaceShadow, ShadowProblem>>>();
  const shadowOf = async (): Promise<Result<WorkspaceShadow, ShadowProblem>> => {
    const { git, made } = await open();
    if (!made.ok) return made;
    const ground = made.value.newGround();
    return ok(new WorkspaceShadow({ git, ground, folders: () => shadowFolders(folders()) }));
  };
  return {
    problem,
    async ground() {
      const { made, noOverlay } = await open();
      return { ground: made.ok ? made.value.name : "copy", noOverlay };
    },
    of(chatId) {
      const known = shadows.get(chatId) ?? shadowOf();
      shadows.set(chatId, known);
      return {
        async collect(signal) {
          const shadow = await known;
          return shadow.ok ? shadow.value.collect(signal) : NOTHING_FOUND;
        },
        async enter(files, signal, tell) {
          const shadow = await known;
          if (!shadow.ok) return shadow;
          const entered = await shadow.value.enter(files, signal, tell);
          if (!entered.ok && LASTING.has(entered.error.code)) remember(entered.error);
          return entered;
        },
        async leave() {
          const shadow = await known;
          if (shadow.ok) await shadow.value.leave();
        },
        async drop() {
          const shadow = await known;
          if (shadow.ok) await shadow.value.drop();
        },
        async isUsed() {
          const shadow = await known;
          return shadow.ok && (await shadow.value.isUsed());
        },
        async keep(path) {
          const shadow = await known;
          return shadow.ok ? shadow.value.keep(path) : { ok: false, error: shadow.error.detail };
        },
      };
    },
    async dispose() {
      for (const shadow of shadows.values()) {
        const made = await shadow;
        if (made.ok) await made.value.dispose();
      }
      shadows.clear();
      const made = opening && (await opening).made;
      if (made?.ok) await removeTree(made.value.folder);
    },
  };
}

const NOTHING_KEPT = { files: [], ignored: [] };

/** Problems of the workspace itself, which the next command would meet, too. */
const LASTING: ReadonlySet<ShadowProblem["code"]> = new Set(["too-large", "repository-outside"]);

/** The environment variable by which tests choose: `overlay`, `copy`, or `none`. */
const SWITCH = "GRAFT_SHADOW";

/** Tries out what this machine allows: an overlay, or else a copy. */
async function openGround(folders: readonly string[], limit: () => number): Promise<Opened> {
  const wanted = process.env[SWITCH] ?? "";
  const isOff = (name: string) => wanted !== "" && wanted !== name;
  const off = err<ShadowProblem>({ code: "switched-off", detail: SWITCH });
  const git = await programOnPath("git", folders);
  const overlay = isOff("overlay") ? off : await openOverlay(folders);
  if (overlay.ok) return { git, noOverlay: null, made: overlay };
  const noOverlay = overlay.error;
  const room = isOff("copy") ? off : await openCopyRoom((await shadowFolders(folders)).folders);
  if (!room.ok) return { git, noOverlay, made: room };
  const newGround = () => new CopyGround({ room: room.value, git, limit });
  return { git, noOverlay, made: ok({ name: "copy", folder: room.value, newGround }) };
}

/** An overlay, tried out over these folders: not every file system can be below one. */
async function openOverlay(
  folders: readonly string[],
): Promise<Result<OpenedGround, ShadowProblem>> {
  const room = await openShadowRoom(folders);
  if (!room.ok) return room;
  const { folder } = room.value;
  const newGround = () => new OverlayGround(room.value);
  const trial = newGround();
  const shown = await trial.show((await shadowFolders(folders)).folders, NOTHING_KEPT);
  if (shown.ok) await shown.value.end();
  await trial.remove();
  if (shown.ok) return ok({ name: "overlay", folder, newGround });
  await removeTree(folder);
  return shown;
}

async function sizeProblem(
  folders: readonly string[],
  limit: number,
): Promise<ShadowProblem | null> {
  const { signal } = new AbortController();
  let bytes = 0;
  for (const folder of (await shadowFolders(folders)).folders)
    bytes += (await fileTree(folder, signal, { most: limit * MEASURED })).bytes;
  return bytes <= limit ? null : { code: "too-large", detail: "", size: { bytes, limit } };
}
