import * as z from "zod/mini";

/** What Graft's own modes let a model do, from the least: look, look and write a plan, edit. */
export const CHAT_MODES = ["ask", "plan", "edit"] as const;

/**
 * How messages are answered: one of Graft's own modes, or the path of the file that describes an
 * agent of the workspace, which has a dot in it.
 */
export type ChatMode = string;

/** A mode in an event, a message, or the history. */
export const chatModeSchema = z.string().check(z.minLength(1), z.maxLength(4_096));

/** The mode of a chat where nothing says another one, and of turns on record without one. */
export const DEFAULT_MODE = "edit";

/** True where nothing may be changed: no tool that acts is offered, and the router refuses each. */
export function isReadOnlyMode(mode: ChatMode): boolean {
  return mode === "ask" || mode === "plan";
}
