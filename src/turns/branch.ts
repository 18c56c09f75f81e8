import type { Turn, TurnTree } from "./turn.ts";

/** The turns from the first one down to `turnId`, both included; empty for null and for an unknown turn. */
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
