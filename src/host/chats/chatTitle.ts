import { firstWords } from "../../base/text/firstWords.ts";
import type { TurnTree } from "../../turns/turn.ts";

/** Characters of a request that become a title, as in the list of chats. */
const TITLE_CHARS = 60;

/** What an open chat is called: its name, else the first words of its first request; "" without. */
export function chatTitle({ title, turns }: TurnTree): string {
  if (title) return title;
  for (const turn of turns.values())
    if (turn.role === "user") return firstWords(turn.text, TITLE_CHARS);
  return "";
}
