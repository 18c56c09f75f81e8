import { err, ok, type Result } from "../../base/result.ts";
import type {
  KeepProblem,
  Shadow,
  ShadowBackendName,
  ShadowProblem,
  Shadows,
} from "../../ports/commands/shadow.ts";
import { removeTree } from "../files/removeTree.ts";
import { childEnvironment } from "../processes/childEnvironment.ts";
import { startChild } from "../processes/childProcess.ts";
import { programOnPath } from "../processes/programOnPath.ts";
import { type Confine, tryConfine } from "../sandbox/confinement.ts";
import { CopyBackend, MEASURED } from "./copyBackend.ts";
import { fileTree } from "./fileTree.ts";
import { OverlayBackend } from "./overlayBackend.ts";
import type { ShadowBackend, ShownFolders } from "./shadowBackend.ts";
import { shadowFolders } from "./shadowFolders.ts";
import { openCopyRoom, openShadowRoom, removeLeftRooms } from "./shadowRoom.ts";
import { NOTHING_FOUND, WorkspaceShadow } from "./workspaceShadow.ts";

/** The most that a copy may hold where no setting says so, in megabytes. */
const COPY_LIMIT_MB = 2_048;
const MEGABYTE = 1_048_576;
/** The most chats whose copies stay when none of their commands runs. */
const MOST_COPIES = 3;

/** What all shadows of a window are made with. */
interface Opened {
  readonly git: string | null;
  readonly noOverlay: ShadowProblem | null;
  readonly made: Result<OpenedBackend, ShadowProblem>;
}

interface OpenedBackend {
  readonly name: ShadowBackendName;
  /** Why commands have no sandbox there, or null. */
  sandboxProblem(): Promise<ShadowProblem | null>;
  /** Null where this machine cannot confine a program; tried out at the first call. */
  confine(): Promise<Confine | null>;
  /** Holds what all of them have. */
  readonly folder: string;
  newBackend(): ShadowBackend;
}

/**
 * Shadows of these workspace folders, absolute paths, on this machine. A copy may have `limit`
 * megabytes, and of more copies than {@link MOST_COPIES} the one that was used longest ago goes, unless
 * a command is in it. What a killed process left of its own is removed meanwhile.
 */
export function createNodeShadows(
  folders: () => readonly string[],
  limit: () => number = () => COPY_LIMIT_MB,
): Shadows {
  const cleaned = removeLeftRooms();
  const limitBytes = () => limit() * MEGABYTE;
  let opening: Promise<Opened> | null = null;
  const open = () => (opening ??= openBackend(folders(), limitBytes));
  /** What was found out about a copy; it counts as long as the limit is the same. */
  let copy: { readonly limit: number; readonly problem: ShadowProblem | null } | null = null;
  const remember = (problem: ShadowProblem | null) => {
    copy = { limit: limit(), problem };
  };
  const problem = async (signal: AbortSignal): Promise<ShadowProblem | null> => {
    const { made } = await open();
    if (!made.ok) return made.error;
    if (made.value.name === "overlay") return null;
    if (copy?.limit === limit()) return copy.problem;
    const found = await sizeProblem(folders(), limitBytes(), signal).catch((error: unknown) => {
      if (signal.aborted) return STOPPED;
      throw error;
    });
    if (found !== STOPPED) remember(found);
    return found;
  };
  const shadows = new Map<string, Promise<Result<WorkspaceShadow, ShadowProblem>>>();
  /** The chats that have a copy, those that were used last at the end. */
  const withCopy = new Set<string>();
  /** Makes room for a copy, as far as no command is in the others. */
  const makeRoom = async (chatId: string): Promise<void> => {
    const { made } = await open();
    if (!made.ok || made.value.name !== "copy") return;
    withCopy.delete(chatId);
    for (const oldest of [...withCopy]) {
      if (withCopy.size < MOST_COPIES) break;
      const shadow = await shadows.get(oldest);
      if (!shadow?.ok || (await shadow.value.forget())) withCopy.delete(oldest);
    }
    withCopy.add(chatId);
  };
  const shadowOf = async (): Promise<Result<WorkspaceShadow, ShadowProblem>> => {
    const { git, made } = await open();
    if (!made.ok) return made;
    const backend = made.value.newBackend();
    const { confine } = made.value;
    return ok(
      new WorkspaceShadow({ git, backend, confine, folders: () => shadowFolders(folders()) }),
    );
  };
  return {
    problem,
    async backend() {
      const { made, noOverlay } = await open();
      const isCopy = made.ok && made.value.name === "copy";
      const backend = made.ok ? made.value.name : "copy";
      return { backend, noOverlay, ...(isCopy && { mostCopies: MOST_COPIES }) };
    },
    async sandboxProblem() {
      const { made } = await open();
      return made.ok ? made.value.sandboxProblem() : made.error;
    },
    of(chatId) {
      const known = shadows.get(chatId) ?? shadowOf();
      shadows.set(chatId, known);
      const failed = (failure: ShadowProblem) => {
        if (LASTING.has(failure.code)) remember(failure);
      };
      return onceOpened(known, () => makeRoom(chatId), failed);
    },
    async dispose() {
      await cleaned;
      for (const made of await Promise.all(shadows.values()))
        if (made.ok) await made.value.dispose();
      shadows.clear();
      const made = opening && (await opening).made;
      if (made?.ok) await removeTree(made.value.folder);
    },
  };
}

/**
 * A shadow that is opened at its first use; `entering` settles before it is entered, and `failed`
 * hears why it cannot be.
 */
function onceOpened(
  opening: Promise<Result<WorkspaceShadow, ShadowProblem>>,
  entering: () => Promise<void>,
  failed: (problem: ShadowProblem) => void,
): Shadow {
  return {
    async collect(signal) {
      const shadow = await opening;
      return shadow.ok ? shadow.value.collect(signal) : NOTHING_FOUND;
    },
    async enter(files, signal, tell) {
      const shadow = await opening;
      if (!shadow.ok) return shadow;
      await entering();
      const entered = await shadow.value.enter(files, signal, tell);
      if (!entered.ok) failed(entered.error);
      return entered;
    },
    async leave() {
      const shadow = await opening;
      if (shadow.ok) await shadow.value.leave();
    },
    async drop() {
      const shadow = await opening;
      if (shadow.ok) await shadow.value.drop();
    },
    async isUsed() {
      const shadow = await opening;
      return shadow.ok && (await shadow.value.isUsed());
    },
    async compare(path) {
      const shadow = await opening;
      return shadow.ok ? shadow.value.compare(path) : notKept(shadow.error);
    },
    async keepFolder(path, agreed, removes) {
      const shadow = await opening;
      return shadow.ok ? shadow.value.keepFolder(path, agreed, removes) : notKept(shadow.error);
    },
  };
}

function notKept({ detail }: ShadowProblem): Result<never, KeepProblem> {
  return err({ code: "failed", detail });
}

const STOPPED: ShadowProblem = { code: "not-mounted", detail: "" };
const NOTHING_KEPT = { files: [], ignored: [] };

/** Problems of the workspace itself, which the next command would meet, too. */
const LASTING: ReadonlySet<ShadowProblem["code"]> = new Set(["too-large", "repository-outside"]);

/** The environment variable by which tests choose: `overlay`, `copy`, or `none`. */
const SWITCH = "GRAFT_SHADOW";

/** Tries out what this machine allows: an overlay, or else a copy. */
async function openBackend(folders: readonly string[], limit: () => number): Promise<Opened> {
  const wanted = process.env[SWITCH] ?? "";
  const isOff = (name: string) => wanted !== "" && wanted !== name;
  const off = err<ShadowProblem>({ code: "switched-off", detail: SWITCH });
  const { folders: shown } = await shadowFolders(folders);
  const git = await programOnPath("git", [...folders, ...shown]);
  const overlay = isOff("overlay") ? off : await openOverlay(folders, shown);
  if (overlay.ok) return { git, noOverlay: null, made: overlay };
  const noOverlay = overlay.error;
  const room = isOff("copy") ? off : await openCopyRoom(shown);
  if (!room.ok) return { git, noOverlay, made: room };
  const newBackend = () => new CopyBackend({ room: room.value, git, limit });
  const sandboxProblem = async () => noOverlay;
  const folder = room.value;
  const confine = confineOnce([...folders, ...shown], folder);
  return {
    git,
    noOverlay,
    made: ok({ name: "copy", folder, newBackend, sandboxProblem, confine }),
  };
}

/** An overlay, tried out over these folders. */
async function openOverlay(
  folders: readonly string[],
  shown: readonly string[],
): Promise<Result<OpenedBackend, ShadowProblem>> {
  const room = await openShadowRoom([...folders, ...shown], shown);
  if (!room.ok) return room;
  const { folder, sandbox } = room.value;
  const newBackend = () => new OverlayBackend(room.value);
  let trial: Promise<ShadowProblem | null> | null = null;
  const sandboxProblem = async () => {
    if (!sandbox.ok) return sandbox.error;
    trial ??= tryBackend(newBackend(), folders, trySandbox);
    return trial;
  };
  const confine = confineOnce([...folders, ...shown], folder);
  return ok({ name: "overlay", folder, newBackend, sandboxProblem, confine });
}

function confineOnce(folders: readonly string[], room: string): OpenedBackend["confine"] {
  let trial: Promise<Confine | null> | null = null;
  return () => (trial ??= tryConfine(folders, room));
}

async function tryBackend(
  backend: OverlayBackend,
  workspace: readonly string[],
  use: (shown: ShownFolders) => Promise<ShadowProblem | null>,
): Promise<ShadowProblem | null> {
  const shown = await backend.show((await shadowFolders(workspace)).folders, NOTHING_KEPT);
  const problem = shown.ok ? await use(shown.value) : shown.error;
  if (shown.ok) await shown.value.end();
  await backend.remove();
  return problem;
}

/** Whether a command ends well in a sandbox, which gives up where it cannot close itself in. */
async function trySandbox(shown: ShownFolders): Promise<ShadowProblem | null> {
  const sandbox = await shown.newSandbox();
  if (!sandbox.ok) return sandbox.error;
  let said = "";
  const listen = (text: string) => {
    said += text;
  };
  const [cwd = "/"] = shown.folders;
  const program = sandbox.value.enter({ file: "/bin/sh", args: ["-c", "true"], cwd });
  const started = await startChild({
    ...program,
    ...{ env: { ...childEnvironment([]).variables, ...program.variables }, input: "" },
    ...{ verbatim: false, onStdout: listen, onStderr: listen },
  });
  const exit = started.ok ? await started.value.exited : null;
  await sandbox.value.wantedNetwork();
  return exit?.code === 0 ? null : { code: "forbidden", detail: said.trim() };
}

async function sizeProblem(
  folders: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<ShadowProblem | null> {
  let bytes = 0;
  for (const folder of (await shadowFolders(folders)).folders)
    bytes += (await fileTree(folder, signal, { most: limit * MEASURED })).bytes;
  return bytes <= limit ? null : { code: "too-large", detail: "", size: { bytes, limit } };
}
