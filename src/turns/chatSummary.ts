import { firstWords } from "../base/firstWords.ts";
import { parseTurnEvent } from "./parseTurnEvent.ts";

/** What a list of chats says of one. */
export interface ChatSummary {
  /** The user's name for it, else the first words of his first request; "" in a chat without one. */
  readonly title: string;
  /** How many requests the user made, on all branches. */
  readonly requests: number;
}

/** The longest title made of a request, in characters. */
const TITLE_CHARS = 60;

/** Sums a chat's log up. Only the lines that matter are parsed, and damaged ones are skipped. */
export function summarizeChat(lines: readonly string[]): ChatSummary {
  let named = "";
  let first = "";
  let requests = 0;
  for (const line of lines) {
    if (!line.includes('"type":"turn-start"') && !line.includes('"type":"chat-title"')) continue;
    const event = parseTurnEvent(line);
    if (event?.type === "chat-title") named = event.title;
    if (event?.type !== "turn-start" || event.role !== "user") continue;
    requests += 1;
    first ||= firstWords(event.text ?? "", TITLE_CHARS);
  }
  return { title: named || first, requests };
}
