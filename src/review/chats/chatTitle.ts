import { firstWords } from "../../base/text/clip.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { TurnTree } from "../../turns/turn.ts";

/** Characters of a request that become a title, as in the list of chats. */
const TITLE_CHARS = 60;

/**
 * The visible name of an open chat, else the first words of its first request; "" for a chat without
 * either.
 */
export function chatTitle({ title, turns }: TurnTree): string {
  if (title) return visibleLine(title);
  for (const turn of turns.values())
    if (turn.role === "user") return visibleLine(firstWords(turn.text, TITLE_CHARS));
  return "";
}
