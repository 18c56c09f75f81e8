import type { Chat } from "../../agent/chat/chat.ts";
import { firstWords } from "../../base/text/clip.ts";
import { changesSince } from "../../edits/history/changeJournal.ts";
import { deletedPrograms, fileModes } from "../../edits/history/fileModes.ts";
import type { FileRef, Workspace } from "../../ports/workspace.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { RestoredFile } from "../../turns/turnEvent.ts";
import type { EditorDocument } from "../documents/documentSync.ts";
import type { EditorFiles } from "../documents/editorFiles.ts";
import { restoredBlocks, restoreModes, type SetExecutable } from "./restoreModes.ts";
import {
  type PlannedFile,
  type RestorableFiles,
  type RestoreProblem,
  type RestoreTarget,
  restorePlan,
} from "./restorePlan.ts";

/** What restoring needs. */
export interface RestoreDeps extends RestorableFiles {
  readonly workspace: RestorableFiles["workspace"] & Pick<Workspace, "trusted">;
  /** The chat whose files these are. */
  readonly chat: Pick<Chat, "busy" | "tree" | "filesRestored">;
  /** The guest whose files they are, see `guestName`; absent for a chat's. */
  readonly agent?: string;
  readonly editor: Pick<EditorFiles<EditorDocument>, "rewrite">;
  readonly setExecutable: SetExecutable;
  readonly isUnsaved: IsUnsaved;
  /** A file's document has another text than before, which is not saved. */
  rewritten(file: FileRef): void;
  /** Lets the user choose among the files; a blocked one is left as it is. Undefined if they leave. */
  pick(
    files: readonly PlannedFile[],
    whose: RestoredTurn,
  ): Promise<readonly PlannedFile[] | undefined>;
}

/** Whether the document of the file at this URI has another text than the disk. */
export type IsUnsaved = (uri: string) => Promise<boolean>;

/** Whose changes are undone: a guest's, see `guestName`, or those of a request; "" if unknown. */
export type RestoredTurn = { readonly agent: string } | { readonly request: string };

/** How many files were restored, and what could not be done. */
export interface RestoreOutcome {
  readonly restored: number;
  readonly problem?: RestoreProblem;
}

/**
 * Restores the files of the target that the user picks, as one edit, with the modes that they had.
 * The journal, the chat and the model learn of it.
 */
export async function restoreFiles(
  target: RestoreTarget,
  deps: RestoreDeps,
): Promise<RestoreOutcome> {
  const refused = refusal(deps);
  if (refused) return failed(refused);
  const files = await restorePlan(target, deps);
  const all = fileModes(deps.chat.tree, target.turnId, target.path, "before");
  const modes = [...all].flatMap(([path, executable]) => modeOf(path, executable, files));
  if (files.length === 0 && modes.length === 0) return failed({ code: "no-record" });
  const texts = files.filter(({ restoration }) => restoration.kind !== "nothing");
  const changed = [...texts, ...modes].sort((a, b) => (a.path < b.path ? -1 : 1));
  if (changed.length === 0) return failed({ code: "nothing-left" });
  const blocked = changed.flatMap(({ path, restoration }) =>
    restoration.kind === "blocked" ? [{ path, reason: restoration.reason }] : [],
  );
  if (blocked.length === changed.length) return failed({ code: "blocked", files: blocked });
  const picked = (await isOwn(target))
    ? changed
    : ((await deps.pick(changed, restoredTurn(target, deps))) ?? []);
  const chosen = picked.flatMap(chosenFile);
  const made = chosen.flatMap(({ file, text }) =>
    text !== null && file.current === null ? [file.path] : [],
  );
  const programs = deletedPrograms(await target.journal.all(), made);
  const stays = picked.flatMap(({ path, restoration }) =>
    restoration.kind === "mode" || (restoration.kind === "possible" && restoration.text !== null)
      ? [path]
      : [],
  );
  const kept = [...all].filter(([path]) => stays.includes(path));
  const chosenModes = new Map([...programs, ...kept]);
  if (chosen.length === 0 && chosenModes.size === 0) return { restored: 0 };
  return apply(target, chosen, chosenModes, deps);
}

/** A file and the text it gets, null for none. */
interface ChosenFile {
  readonly file: PlannedFile;
  readonly text: string | null;
}

function chosenFile(file: PlannedFile): readonly ChosenFile[] {
  return file.restoration.kind === "possible" ? [{ file, text: file.restoration.text }] : [];
}

/** A file whose text stays as it is, and which gets another mode. */
function modeOf(
  path: string,
  executable: boolean,
  files: readonly PlannedFile[],
): readonly PlannedFile[] {
  const file = files.find((each) => each.path === path);
  const isLeft = !file || (file.restoration.kind === "nothing" && file.current !== null);
  return isLeft
    ? [{ path, uri: "", current: null, restoration: { kind: "mode", executable } }]
    : [];
}

/** True for one file that only this turn changed: undoing that can be redone, and takes no more. */
async function isOwn({ journal, turnId, path }: RestoreTarget): Promise<boolean> {
  if (path === null) return false;
  const changes = [...changesSince(await journal.all(), turnId, path)].flatMap(([, each]) => each);
  return changes.every((change) => change.turnId === null || change.turnId === turnId);
}

function restoredTurn({ turnId }: RestoreTarget, { agent, chat }: RestoreDeps): RestoredTurn {
  return agent === undefined ? { request: requestOf(chat.tree, turnId, 50) } : { agent };
}

function failed(problem: RestoreProblem): RestoreOutcome {
  return { restored: 0, problem };
}

/**
 * The request that agent turn `turnId` answered, clipped to `limit` characters; "" when it is not
 * known.
 */
export function requestOf(tree: TurnTree, turnId: string, limit: number): string {
  const parent = tree.turns.get(turnId)?.parentTurnId ?? null;
  const asked = parent === null ? undefined : tree.turns.get(parent);
  return asked?.role === "user" ? firstWords(asked.text, limit) : "";
}

async function apply(
  { journal, turnId }: RestoreTarget,
  chosen: readonly ChosenFile[],
  modes: ReadonlyMap<string, boolean>,
  deps: RestoreDeps,
): Promise<RestoreOutcome> {
  const refused = refusal(deps);
  if (refused) return failed(refused);
  const rewrites = chosen.map(({ file, text }) => ({
    uri: file.uri,
    before: file.current,
    after: text,
  }));
  const isMade = await journal.make(async () => {
    if (rewrites.length > 0 && !(await deps.editor.rewrite(rewrites))) return null;
    return chosen.map(({ file: { path, uri, current }, text }) => ({
      ...{ at: Date.now(), turnId: null, callId: null, path, uri },
      ...{ before: current, after: text, restores: turnId },
    }));
  });
  if (!isMade) return failed({ code: "changed-meanwhile" });
  await tellRewritten(
    chosen.map(({ file, text }) => ({ ...file, after: text })),
    deps,
  );
  const kept = await restoreModes(modes, deps.setExecutable);
  const texts: RestoredFile[] = [];
  for (const { file, text } of chosen)
    texts.push(await restoredFile(file.path, file.uri, text, deps.isUnsaved));
  const others = [...modes.keys()]
    .filter((path) => !kept.includes(path) && !texts.some((each) => each.path === path))
    .map((path) => ({ path, deleted: false }));
  const files = [...texts, ...others];
  const paths = files.map(({ path }) => path);
  const blocks = restoredBlocks(deps.chat.tree, turnId, paths, kept);
  if (files.length > 0) deps.chat.filesRestored(turnId, files, false, blocks);
  const restored = files.length;
  return kept.length > 0
    ? { restored, problem: { code: "modes-kept", paths: kept } }
    : { restored };
}

/** A file that a restore gave this text, null for none. */
export async function restoredFile(
  path: string,
  uri: string,
  text: string | null,
  isUnsaved: IsUnsaved,
): Promise<RestoredFile> {
  const left = text !== null && (await isUnsaved(uri));
  return { path, deleted: text === null, ...(left && { isUnsaved: true }) };
}

/** What was there and is there was rewritten in its document; the rest is on the disk. */
export async function tellRewritten(
  files: readonly {
    readonly path: string;
    readonly current: string | null;
    readonly after: string | null;
  }[],
  { workspace, rewritten }: Pick<RestoreDeps, "workspace" | "rewritten">,
): Promise<void> {
  for (const { path, current, after } of files) {
    if (current === null || after === null) continue;
    const file = await workspace.resolve(path);
    if (file.ok) rewritten(file.value);
  }
}

/** Why nothing can be restored now. */
export function refusal({
  chat,
  workspace,
}: Pick<RestoreDeps, "chat" | "workspace">): RestoreProblem | null {
  if (!workspace.trusted) return { code: "untrusted" };
  return chat.busy ? { code: "busy" } : null;
}
