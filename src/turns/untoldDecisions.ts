import {
  type EditBlock,
  type EditStatus,
  saysTheSame,
  type ToldEdit,
  toldOf,
} from "./editBlock.ts";
import type { Turn } from "./turn.ts";

/** An edit whose outcome the model does not know yet. */
interface UntoldDecision {
  readonly turnId: string;
  readonly edit: EditBlock;
}

/** The states of an edit from its proposal on; what replaced an edit of its own, the model knows. */
const PROPOSED: ReadonlySet<EditStatus> = new Set([
  "pending",
  "applied",
  "partly-applied",
  "rejected",
  "conflict",
  "withdrawn",
]);

/**
 * The proposed edits of a branch that are in another state than its model was told last, or in one
 * of the states `again`; in order.
 */
export function untoldDecisions(
  branch: readonly Turn[],
  again: (status: EditStatus) => boolean = () => false,
): readonly UntoldDecision[] {
  const turns = branch.flatMap((turn) => (turn.role === "agent" ? [turn] : []));
  const told = new Map<string, ToldEdit>();
  const key = (turnId: string, blockId: string) => `${turnId} ${blockId}`;
  for (const turn of turns) {
    for (const [blockId, edit] of turn.told) told.set(key(turn.id, blockId), edit);
    for (const part of turn.parts) {
      if (part.type === "decisions")
        for (const edit of part.told) told.set(key(edit.turnId, edit.blockId), edit);
    }
  }
  // Every agent turn knows what its own reports said; a later one may have been told more.
  return turns.flatMap((turn) =>
    [...turn.edits.values()].flatMap((edit) => {
      const isReplaced = edit.reason?.code === "superseded" && edit.reason.ofOthers === true;
      const isKnown =
        !(PROPOSED.has(edit.status) || isReplaced) ||
        (saysTheSame(told.get(key(turn.id, edit.blockId)), toldOf(edit)) && !again(edit.status));
      return isKnown ? [] : [{ turnId: turn.id, edit }];
    }),
  );
}
