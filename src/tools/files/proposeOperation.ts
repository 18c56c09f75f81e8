import type { Result } from "../../base/result.ts";
import {
  type BlockOutcome,
  changesMode,
  type FileOperation,
  type OperationReviewer,
  type PendingOperation,
} from "../../ports/review.ts";
import type { FileError, FileRef, Workspace } from "../../ports/workspace.ts";
import { NOTES } from "../notes.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

/** Where a chat proposes to delete and rename files. */
export interface OperationProposals {
  readonly chatId: string;
  readonly operations: OperationReviewer;
  /** Where new files and copies are proposed, too; null where they are made at once. */
  readonly aside: ProposedFiles | null;
}

/** Files as they are proposed, and how a whole text is. */
export interface ProposedFiles {
  readonly workspace: Workspace;
  /** Proposes the whole text of a file, also of one that exists; null where that is done. */
  write(path: string, text: string, context: ToolContext): Promise<FileError | null>;
  /** The text that waits for a file; null where none does. */
  textOf(file: FileRef): string | null;
  /** Takes that text back; false, without effect, where other turns wrote some of it. */
  drop(file: FileRef, context: ToolContext): boolean;
}

/** Leaves an operation to the user as a block of its turn, which shows it; gives its outcome so far. */
export async function offerOperation(
  operations: OperationReviewer,
  operation: PendingOperation,
  index: number,
  emit: ToolContext["emit"],
): Promise<Result<BlockOutcome, FileError>> {
  const { blockId, file, origin, to, executable } = operation;
  const proposed = await operations.propose(operation);
  if (!proposed.ok) return proposed;
  const { status, reason } = proposed.value;
  const mode = executable ? ("make-executable" as const) : ("make-plain" as const);
  const what = changesMode(operation)
    ? { op: mode, target: "mode" }
    : to
      ? { op: "rename" as const, target: to.path }
      : { op: "delete" as const, target: "deletion" };
  const names = { blockId, callId: origin.callId, path: file.path, index };
  const place = { addedLines: 0, removedLines: 0, step: 0, textStart: 0, textEnd: 0 };
  emit({
    type: "edit-update",
    edit: { ...names, ...what, status, reason, warnings: [], ...place },
  });
  return proposed;
}

/**
 * Proposes a file operation as a block of the turn. Nothing happens to the file before the user
 * accepts.
 */
export async function proposeOperation(
  { chatId, operations }: OperationProposals,
  { file, to }: FileOperation,
  { turnId, callId, emit }: ToolContext,
): Promise<ToolResult> {
  const origin = { chatId, turnId, callId };
  const operation = { file, to, origin, blockId: `${callId}-file` };
  const proposed = await offerOperation(operations, operation, 1, emit);
  if (!proposed.ok) return fileToolError(proposed.error, { exists: "Choose another path." });
  const { path } = file;
  return {
    ok: true,
    output: to ? NOTES.renameProposed(path, to.path) : NOTES.deletionProposed(path),
  };
}

/** The operation that waits for a path, as the file it takes away or the place it fills; no mode. */
export function operationAt(
  { operations }: OperationProposals,
  { uri }: FileOperation["file"],
): FileOperation | undefined {
  return operations.pending.find(
    (each) => !changesMode(each) && (each.file.uri === uri || each.to?.uri === uri),
  );
}
