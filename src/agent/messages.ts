import { countTextLines } from "../base/text/lines.ts";
import type { ToolError } from "../tools/tool.ts";

/** Tells the model why a call did not run. */
export function notRunError(tool: string, cutOff: boolean): ToolError {
  const message = `${tool} was not run because the answer was cut off or tools are not available.`;
  return {
    category: "execution",
    message,
    recovery: cutOff ? "Call it again in a shorter message." : null,
  };
}

/**
 * Tells the model that a tool stopped receiving its text. `reason` is an exception's sentence, null
 * for a timeout.
 */
export function requestDropped(callId: string, reason: string | null): string {
  return `The request ${callId} failed inside Graft (${reason ?? "it did not stop in time"}) and is over; what it had not yet done was not done.`;
}

/** Marks a tool result of which the model sees only the beginning. */
export function clippedResult(start: string, whole: string): string {
  return `${start.trimEnd()}\n[clipped: ${countTextLines(whole)} lines in all; read again to see them]`;
}

/** Marks a long message of which a summary request has the beginning and the end. */
export function shortenedMessage(start: string, omitted: number, end: string): string {
  return `${start}\n[… ${omitted} characters left out …]\n${end}`;
}

/** Marks a rules file of which the model sees only the beginning. */
export function clippedRules(start: string, omitted: number): string {
  return `${start.trim()}\n[The rest of the file, ${omitted} characters, is left out.]`;
}

/** Marks a summary that was too long. */
export function clippedSummary(start: string): string {
  return `${start.trimEnd()} [The summary is cut off here.]`;
}

/** Stands for the messages that a summary request has no room for. */
export const EARLIER_MESSAGES_OMITTED = "[Earlier messages are left out.]";
