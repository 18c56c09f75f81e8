import type { Reviewer } from "../../ports/review.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";
import type { ChatOptions } from "../chatOptions.ts";

type Emit = (turnId: string, event: TurnEventBody) => void;

/**
 * Makes the record agree with what there is after a crash: a proposal that is gone was not accepted,
 * and one that is there is pending; a command that does not run ended with its window.
 */
export function settleRecord(
  tree: TurnTree,
  { reviewer, isRunning = () => false }: Pick<ChatOptions, "reviewer" | "isRunning">,
  emit: Emit,
): void {
  settlePending(tree, reviewer, emit);
  for (const turn of tree.turns.values()) {
    for (const { callId, command } of turn.role === "agent" ? turn.toolCalls.values() : [])
      if (command?.code === "running" && !isRunning(turn.id, callId))
        emit(turn.id, { type: "command-ended", callId, command: { code: "lost" } });
  }
}

function settlePending(tree: TurnTree, reviewer: Reviewer, emit: Emit): void {
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
