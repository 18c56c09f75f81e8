import type { AgentTurn, Turn, TurnTree } from "./turn.ts";

/**
 * The turns from the first one down to `turnId`, both included; empty for null and for an unknown
 * turn.
 */
export function branch(tree: TurnTree, turnId: string | null): readonly Turn[] {
  const turns: Turn[] = [];
  for (let id = turnId; id !== null; ) {
    const turn = tree.turns.get(id);
    if (!turn) break;
    turns.push(turn);
    id = turn.parentTurnId;
  }
  return turns.reverse();
}

/**
 * The last turn of the branch through `turnId`, following at each fork the child shown last;
 * `turnId` itself if it has none.
 */
export function branchEnd(tree: TurnTree, turnId: string): string {
  let end = turnId;
  // Bounded, because a history file may hold anything.
  for (let depth = tree.turns.size; depth > 0; depth--) {
    const next = tree.chosen.get(end) ?? tree.children.get(end)?.at(-1);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

/**
 * The turns with the same parent as `turn`, itself included, oldest first: retries, or edited
 * requests.
 */
export function siblings(tree: TurnTree, turn: Turn): readonly string[] {
  return tree.children.get(turn.parentTurnId) ?? [turn.id];
}

/** The last turn on the shown branch that sent a request; null for none. */
export function lastMeasured(tree: TurnTree): AgentTurn | null {
  let turn = tree.turns.get(tree.headTurnId ?? "");
  while (turn && (turn.role === "user" || turn.contextUse === null))
    turn = tree.turns.get(turn.parentTurnId ?? "");
  return turn ?? null;
}
