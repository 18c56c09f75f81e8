import type { FileOperation, OperationReviewer } from "../../ports/review.ts";
import { NOTES } from "../messages.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { fileToolError } from "./fileToolError.ts";

/** Where a chat proposes to delete and rename files. */
export interface OperationProposals {
  readonly chatId: string;
  readonly operations: OperationReviewer;
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
  const blockId = `${callId}-file`;
  const proposed = await operations.propose({
    file,
    to,
    origin: { chatId, turnId, callId },
    blockId,
  });
  if (!proposed.ok) return fileToolError(proposed.error, { exists: "Choose another path." });
  const { path } = file;
  const { status, reason } = proposed.value;
  const what = to
    ? { op: "rename" as const, target: to.path }
    : { op: "delete" as const, target: "deletion" };
  const place = { addedLines: 0, removedLines: 0, step: 0, textStart: 0, textEnd: 0 };
  emit({
    type: "edit-update",
    edit: { blockId, callId, path, index: 1, ...what, status, reason, warnings: [], ...place },
  });
  return {
    ok: true,
    output: to ? NOTES.renameProposed(path, to.path) : NOTES.deletionProposed(path),
  };
}

/** The operation that waits for a path, as the file it takes away or the place it fills. */
export function operationAt(
  { operations }: OperationProposals,
  { uri }: FileOperation["file"],
): FileOperation | undefined {
  return operations.pending.find(({ file, to }) => file.uri === uri || to?.uri === uri);
}
