import type { Turn } from "../turn.ts";
import type { Todo } from "./todos.ts";

/** The list as the model wrote it last on a branch; empty where it wrote none. */
export function todosOf(turns: readonly Turn[]): readonly Todo[] {
  for (const turn of turns.toReversed()) {
    const last =
      turn.role === "agent" ? turn.parts.findLast(({ type }) => type === "todos") : undefined;
    if (last?.type === "todos") return last.items;
  }
  return [];
}
