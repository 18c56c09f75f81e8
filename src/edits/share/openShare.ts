import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sha256 } from "../../base/sha256.ts";
import type { FileOperation, PendingOperation, ReviewOrigin } from "../../ports/review.ts";
import {
  type FileError,
  type FileRef,
  type FileSnapshot,
  readToEdit,
  secretRefusal,
  type Workspace,
} from "../../ports/workspace.ts";
import { editablePath } from "../../tools/permissions/changeablePath.ts";
import type { ReviewRecord } from "../review/reviewRecord.ts";
import { ReviewState } from "../review/reviewState.ts";
import { documentLineEnd, textWithLineEnds } from "../text/lineEnds.ts";
import type { Share, SharedFile } from "./share.ts";

/** A file of a shared review over its text here. */
export interface OpenedFile {
  /** As it is here. */
  readonly snapshot: FileSnapshot;
  /** The review; `real` is the file's text with line ends of where it is from, and no mark. */
  readonly review: ReviewRecord;
  /** What is left to decide, and how many of it changed lines that have changed here. */
  readonly hunks: number;
  readonly conflicts: number;
}

/** Why a file of a shared review cannot be reviewed here. */
export type ShareProblem =
  | { readonly code: "file"; readonly error: FileError }
  /** Its base is not what its hash says; it is not here; it is not what was to go; it is there twice. */
  | { readonly code: "damaged" | "gone" | "changed" | "twice"; readonly path: string };

/** A shared review in a workspace. Nothing of what is shared is missing in it. */
export interface OpenedShare {
  readonly files: readonly OpenedFile[];
  readonly operations: readonly PendingOperation[];
  /** The paths of files that have all of it. */
  readonly done: readonly string[];
  readonly problems: readonly ShareProblem[];
}

/** Rebases a shared review, as proposed by `origin`, on the files here, which stay as they are. */
export async function openShare(
  shared: Share,
  workspace: Workspace,
  origin: ReviewOrigin,
  signal: AbortSignal,
): Promise<OpenedShare> {
  const files: OpenedFile[] = [];
  const operations: PendingOperation[] = [];
  const done: string[] = [];
  const problems: ShareProblem[] = [];
  const seen = new Set<string>();
  for (const file of shared.files) {
    const opened = await openSharedFile(file, workspace, seen, signal);
    if (!opened.ok) problems.push(opened.error);
    else if (opened.value === "done") done.push(file.path);
    else files.push(opened.value);
  }
  for (const operation of shared.operations) {
    const isNew = files.some(({ snapshot }) => snapshot.file.path === operation.path);
    const opened = await openOperation(operation, isNew, workspace, signal);
    if (!opened.ok) problems.push(opened.error);
    else if (opened.value === null) done.push(operation.path);
    else operations.push({ ...opened.value, origin, blockId: newId("block") });
  }
  return { files, operations, done, problems };
}

async function openSharedFile(
  file: SharedFile,
  workspace: Workspace,
  seen: Set<string>,
  signal: AbortSignal,
): Promise<Result<OpenedFile | "done", ShareProblem>> {
  const { path, exists, hash, base, proposed } = file;
  if ((await sha256(base)) !== hash) return err({ code: "damaged", path });
  const place = await sharedPlace(workspace, path);
  if (!place.ok) return place;
  if (seen.has(place.value.uri)) return err({ code: "twice", path });
  seen.add(place.value.uri);
  const read = await readToEdit(workspace, place.value, signal);
  if (!read.ok) return err({ code: "file", error: read.error });
  const snapshot = read.value;
  if (exists && !snapshot.exists) return err({ code: "gone", path });
  const text = snapshot.text.replace(/^\uFEFF/, "");
  const here = textWithLineEnds(text, documentLineEnd(exists ? base : proposed));
  // Where both made the file, all of it is the user's.
  const isMadeTwice = snapshot.exists && !exists;
  const own = { touched: [{ start: 0, end: here.length }], cuts: [] };
  const record = recordOf(file);
  const state = ReviewState.from(isMadeTwice ? { ...record, real: here, userLines: own } : record);
  if (exists) state.reopened(here);
  const hunks = state.hunks();
  if (hunks.length === 0) return ok("done");
  // What was found here is on the disk.
  const { unsaved: _, ...review } = state.record();
  const conflicts = hunks.filter(({ conflict }) => conflict).length;
  return ok({ snapshot, review, hunks: hunks.length, conflicts });
}

/** The review where it is from. The blocks' ids are new: two reviews may come to one file. */
function recordOf({ base, proposed, blocks, userLines }: SharedFile): ReviewRecord {
  const named = blocks.map((block) => ({ ...block, blockId: newId("block") }));
  return {
    ...{ real: base, proposed, model: proposed, userDiffs: [], userLines },
    blocks: named.map(({ blockId, warnings, range }) => ({ blockId, warnings, range })),
    decided: named.map(({ blockId, accepted, rejected, why }) => [
      blockId,
      { accepted, rejected, why },
    ]),
  };
}

/** Null where it is already as it would be. */
async function openOperation(
  { path, to: target, hash, executable }: Share["operations"][number],
  isShared: boolean,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<Result<FileOperation | null, ShareProblem>> {
  const file = await sharedPlace(workspace, path);
  if (!file.ok) return file;
  // The file's text may be another here, or come with it.
  if (executable !== undefined) {
    const there = await workspace.read(file.value, signal);
    const isGone = !there.ok && there.error.code === "not-found" && !isShared;
    return isGone
      ? err({ code: "gone", path })
      : ok({ file: file.value, to: file.value, executable });
  }
  const to = target === null ? null : await sharedPlace(workspace, target);
  if (to?.ok === false) return to;
  const read = await readToEdit(workspace, file.value, signal);
  if (!read.ok && read.error.code !== "binary") return err({ code: "file", error: read.error });
  if (read.ok && !read.value.exists) return to ? err({ code: "gone", path }) : ok(null);
  const text = read.ok ? read.value.text : null;
  if (text === null || (await sha256(text)) !== hash) return err({ code: "changed", path });
  return ok({ file: file.value, to: to?.value ?? null });
}

/** A path that another machine names: relative, inside the workspace, and no file with keys. */
async function sharedPlace(
  workspace: Workspace,
  path: string,
): Promise<Result<FileRef, ShareProblem>> {
  const isRelative = !/^(?:[/\\]|[a-z]:)/i.test(path);
  if (!isRelative) return err({ code: "file", error: { code: "outside-workspace", path } });
  const file = await editablePath(workspace, path);
  // Some name the place that the path leads to.
  if (!file.ok) return err({ code: "file", error: { ...file.error, path } });
  const refusal = secretRefusal(file.value, workspace.trusted);
  return refusal ? err({ code: "file", error: refusal }) : ok(file.value);
}
