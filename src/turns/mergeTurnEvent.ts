import type { TurnEvent } from "./turnEvent.ts";

/**
 * Appends `event` to `events`, or merges it into the last one where both are pieces of one text, or
 * states of one edit block. The reduced tree is the same. A merged event has the later number, so a
 * reader of its first part must start over. Constant time; never changes an event that was passed
 * in.
 */
export function mergeTurnEvent(events: TurnEvent[], event: TurnEvent): void {
  const last = events.at(-1);
  const merged = last === undefined ? null : mergedEvent(last, event);
  if (merged) events[events.length - 1] = merged;
  else events.push(event);
}

function mergedEvent(last: TurnEvent, event: TurnEvent): TurnEvent | null {
  if (last.turnId !== event.turnId) return null;
  if (last.type === "text-delta" && event.type === "text-delta")
    return { ...event, text: last.text + event.text };
  if (last.type === "reasoning-delta" && event.type === "reasoning-delta")
    return { ...event, text: last.text + event.text };
  if (
    last.type === "tool-call-delta" &&
    event.type === "tool-call-delta" &&
    last.callId === event.callId
  ) {
    return { ...event, argsText: last.argsText + event.argsText };
  }
  if (last.type === "tool-call-delta" && event.type === "tool-call" && last.callId === event.callId)
    return event;
  if (
    last.type === "tool-progress" &&
    event.type === "tool-progress" &&
    last.callId === event.callId
  )
    return event;
  if (
    last.type === "edit-update" &&
    event.type === "edit-update" &&
    last.edit.blockId === event.edit.blockId
  )
    return event;
  return null;
}
