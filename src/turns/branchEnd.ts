import type { TurnTree } from "./turn.ts";

/** The last turn of the branch through `turnId`: at each fork the way that was shown last. `turnId` itself where nothing follows it. */
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
