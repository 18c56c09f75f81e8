import type { Reviewer } from "../../ports/review.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";

/**
 * Makes the record agree with the proposals after a crash: what is gone was not accepted, and
 * what is there is pending.
 */
export function settlePending(
  tree: TurnTree,
  reviewer: Reviewer,
  emit: (turnId: string, event: TurnEventBody) => void,
): void {
  const pending = [
    ...reviewer.allPending().flatMap(({ blocks }) => blocks),
    ...(reviewer.operations?.pending ?? []),
  ];
  const isPending = (turnId: string, id: string) =>
    pending.some(({ origin, blockId }) => origin.turnId === turnId && blockId === id);
  for (const turn of tree.turns.values()) {
    for (const edit of turn.role === "agent" ? turn.edits.values() : []) {
      const isOpen = edit.status === "pending" || edit.undecided === true;
      const isThere = isPending(turn.id, edit.blockId);
      if (isOpen && !isThere) {
        const settled = {
          ...edit,
          status: "rejected" as const,
          reason: { code: "window-closed" as const },
          undecided: false,
        };
        emit(turn.id, { type: "edit-update", edit: settled });
      } else if (isThere && edit.reason?.code === "turn-ended") {
        emit(turn.id, {
          type: "edit-update",
          edit: { ...edit, status: "pending", reason: null },
        });
      }
    }
  }
}
