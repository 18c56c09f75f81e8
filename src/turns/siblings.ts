import type { Turn, TurnTree } from "./turn.ts";

/** The turns that answer or follow the same turn as `turn`, itself included, oldest first: retries, or edited requests. */
export function siblings(tree: TurnTree, turn: Turn): readonly string[] {
  return tree.children.get(turn.parentTurnId) ?? [turn.id];
}
