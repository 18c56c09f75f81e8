import type { TurnEvent } from "../turnEvent.ts";

/**
 * A listener that hears of the chat's own turns: what an agent that a turn started says and does is
 * left out, but for its edits.
 */
export function outerEvents(listener: (event: TurnEvent) => void): (event: TurnEvent) => void {
  const inner = new Set<string>();
  return (event) => {
    if (event.type === "turn-start" && event.within) inner.add(event.turnId);
    if (!inner.has(event.turnId) || event.type === "edit-update") listener(event);
  };
}
