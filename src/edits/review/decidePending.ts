import type { BlockOutcome, PendingOperation, ReviewOrigin } from "../../ports/review.ts";
import {
  allowSecret,
  type FileError,
  type FileRef,
  type FileSnapshot,
  type Workspace,
} from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import type { WriteAccepted } from "./autoReviewer.ts";
import type { PendingReviewer } from "./pendingReviewer.ts";

/** What one question is about: a file's text before and after, null where there is no file. */
export interface PendingChange {
  readonly file: FileRef;
  /** Where the file goes, where it is renamed. */
  readonly to: FileRef | null;
  /** Set where it only becomes executable, or no longer executable. */
  readonly executable?: boolean;
  readonly before: string | null;
  readonly after: string | null;
  /** The blocks that wrote it. */
  readonly blocks: readonly { readonly origin: ReviewOrigin; readonly blockId: string }[];
}

/** Who decides, and what carries it out. */
export interface Decider {
  readonly workspace: Workspace;
  readonly files: WorkspaceFiles;
  readonly write: WriteAccepted;
  /** Whether a change may be made; null where that stays open. */
  ask(change: PendingChange): Promise<boolean | null>;
  /** Hears what became of each change; an error where it was allowed and could not be made. */
  settled(change: PendingChange, isAllowed: boolean, error: FileError | null): void;
  decided(origin: ReviewOrigin, path: string, blocks: readonly BlockOutcome[]): void;
}

/**
 * Asks for each file that waits, and makes the change where it is allowed and the file is still as it
 * was. What stays open, or is left when `signal` aborts, waits on.
 */
export async function decidePending(
  reviewer: PendingReviewer,
  decider: Decider,
  signal: AbortSignal,
): Promise<void> {
  for (const { file, text, blocks } of reviewer.allPending()) {
    const snapshot = reviewer.original(file);
    if (!snapshot) continue;
    const before = snapshot.exists ? snapshot.text : null;
    const change = { file, to: null, before, after: text, blocks };
    await decide(change, file, () => writeText(snapshot, text));
  }
  for (const operation of [...reviewer.operations.pending]) {
    const { file, to, origin, blockId, executable } = operation;
    const found = await shownText(decider.workspace, file, signal);
    const blocks = [{ origin, blockId }];
    const change = {
      ...{ file, to: executable === undefined ? to : null, before: found },
      ...(executable !== undefined && { executable }),
      ...{ after: to && found, blocks },
    };
    await decide(change, operation, () => operate(operation, found));
  }

  async function decide(
    change: PendingChange,
    pending: FileRef | PendingOperation,
    make: () => Promise<FileError | null>,
  ): Promise<void> {
    if (signal.aborted) return;
    const isAllowed = await decider.ask(change);
    if (isAllowed === null || signal.aborted) return;
    const error = isAllowed ? await make() : null;
    reviewer.settle(pending);
    const outcome = settledOutcome(isAllowed, error);
    for (const { origin, blockId } of change.blocks)
      decider.decided(origin, change.file.path, [{ blockId, ...outcome }]);
    decider.settled(change, isAllowed, error);
  }

  async function writeText(snapshot: FileSnapshot, text: string): Promise<FileError | null> {
    const written = await decider.write(snapshot, text);
    return written.ok ? null : written.error;
  }

  /** Deletes or renames what the user was shown. */
  async function operate(
    { file, to, executable }: PendingOperation,
    shown: string | null,
  ): Promise<FileError | null> {
    const { path } = file;
    if ((await shownText(decider.workspace, file, signal)) !== shown)
      return { code: "changed-meanwhile", path };
    const done =
      executable !== undefined
        ? await decider.files.setExecutable(path, executable, true)
        : to
          ? await decider.files.rename(path, to.path, false, true)
          : await decider.files.delete(path, false, true);
    return done.ok ? null : done.error;
  }
}

function settledOutcome(
  isAllowed: boolean,
  error: FileError | null,
): Omit<BlockOutcome, "blockId"> {
  if (error) return { status: "rejected", reason: { code: "write-failed", error } };
  return isAllowed
    ? { status: "applied", reason: null }
    : { status: "rejected", reason: { code: "rejected-by-user" } };
}

/** Null where there is no text to show, as of a binary file. */
async function shownText(
  workspace: Workspace,
  file: FileRef,
  signal: AbortSignal,
): Promise<string | null> {
  const read = await workspace.read(allowSecret(file), signal);
  return read.ok ? read.value.text : null;
}
