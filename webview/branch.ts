import type { Turn, TurnTree } from "../src/turns/turn.ts";

/** The turns from the root to the head: the one branch of the tree that is shown. */
export function branch(tree: TurnTree): Turn[] {
  const turns: Turn[] = [];
  const seen = new Set<string>();
  let id = tree.headTurnId;
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    const turn = tree.turns.get(id);
    if (!turn) break;
    turns.push(turn);
    id = turn.parentTurnId;
  }
  return turns.reverse();
}
