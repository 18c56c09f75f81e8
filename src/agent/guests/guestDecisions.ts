import * as z from "zod/mini";
import { outcomeFields } from "../../edits/block.ts";
import { blockOutcomeSchema } from "../../ports/review.ts";
import { type EditBlock, saysTheSame, toldOf } from "../../turns/editBlock.ts";

/** What became of blocks of one file, or of what was accepted in it. */
export const guestDecisionSchema = z.object({
  path: z.string(),
  blocks: z.readonly(z.array(blockOutcomeSchema)),
  userDiff: z.nullable(z.string()),
  /** Set where the user took accepted changes of the file back. */
  restored: z.exactOptional(z.literal(true)),
});

/** See {@link guestDecisionSchema}. */
export type GuestDecision = Readonly<z.infer<typeof guestDecisionSchema>>;

/**
 * Puts decisions into the guest's `edits`, by block; gives those that have another state now. An
 * edit from before a restart is known by its file alone.
 */
export function settleEdits(
  edits: Map<string, EditBlock>,
  decisions: readonly GuestDecision[],
): readonly EditBlock[] {
  const settled = new Map<string, EditBlock>();
  for (const { path, blocks, userDiff } of decisions)
    for (const [index, outcome] of blocks.entries()) {
      const { blockId, rejection } = outcome;
      const before = edits.get(blockId) ?? earlierEdit(blockId, path);
      const after: EditBlock = {
        ...before,
        path,
        ...outcomeFields(outcome),
        ...(rejection !== undefined && { rejection }),
        ...(userDiff !== null && index === blocks.length - 1 && { userDiff }),
      };
      edits.set(blockId, after);
      if (!saysTheSame(toldOf(after), toldOf(before)) || after.userDiff !== before.userDiff)
        settled.set(blockId, after);
    }
  return [...settled.values()];
}

function earlierEdit(blockId: string, path: string): EditBlock {
  const place = { index: 1, target: "an earlier change", op: "replace" as const };
  const none = { addedLines: 0, removedLines: 0, step: 0, textStart: 0, textEnd: 0 };
  return {
    blockId,
    callId: "",
    path,
    ...place,
    status: "captured",
    reason: null,
    warnings: [],
    ...none,
  };
}
