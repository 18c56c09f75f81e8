import type { Reviewer } from "../../ports/review.ts";
import { branch } from "../../turns/branch.ts";
import { agentTurns, type TurnTree } from "../../turns/turn.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";
import type { ChatOptions } from "../chatOptions.ts";
import { commandLine } from "../loop/outdatedCommands.ts";

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
  settleCommands(tree, isRunning, emit);
}

/** The model and the user hear of it where the command began and, on its branch, at the end. */
function settleCommands(
  tree: TurnTree,
  isRunning: NonNullable<ChatOptions["isRunning"]>,
  emit: Emit,
): void {
  const shown = branch(tree, tree.headTurnId).flatMap((turn) =>
    turn.role === "agent" ? [turn.id] : [],
  );
  const last = shown.at(-1);
  const atEnd: string[] = [];
  for (const turn of agentTurns(tree)) {
    const gone = [...turn.toolCalls.values()].filter(
      ({ callId, command }) => command?.code === "running" && !isRunning(turn.id, callId),
    );
    for (const { callId } of gone)
      emit(turn.id, { type: "command-ended", callId, command: { code: "lost" } });
    const lines = gone.map(({ input }) => commandLine(input));
    if (shown.includes(turn.within?.turnId ?? turn.id)) atEnd.push(...lines);
    if (turn.id !== last) emitLost(turn.id, lines, emit);
  }
  if (last !== undefined) emitLost(last, atEnd, emit);
}

function emitLost(turnId: string, commands: readonly string[], emit: Emit): void {
  if (commands.length === 0) return;
  const notice = { type: "notice", level: "info", code: "commands-lost" } as const;
  emit(turnId, { ...notice, commands: [...commands] });
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
