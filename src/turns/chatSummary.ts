import { firstWords } from "../base/text/clip.ts";
import { parseTurnEvent } from "./turnStore.ts";

/** A chat in the list of chats. */
export interface ChatSummary {
  /** The user's name for it, else the first words of its first request; "" without one. */
  readonly title: string;
  /** Requests on all branches. */
  readonly requests: number;
}

/** Characters of a request that become a title. */
const TITLE_CHARS = 60;

/** Summarizes a chat's log. Parses only the lines it needs and skips damaged ones. */
export function summarizeChat(lines: readonly string[]): ChatSummary {
  let named = "";
  let first = "";
  let requests = 0;
  for (const line of lines) {
    if (!line.includes('"type":"turn-start"') && !line.includes('"type":"chat-title"')) continue;
    const event = parseTurnEvent(line);
    if (event?.type === "chat-title") named = event.title;
    if (event?.type !== "turn-start" || event.role !== "user" || event.within) continue;
    requests += 1;
    first ||= firstWords(event.text ?? "", TITLE_CHARS);
  }
  return { title: named || first, requests };
}
