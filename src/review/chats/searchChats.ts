import { parseFenceOpener } from "../../base/text/fenceOpener.ts";
import type { TurnTree } from "../../turns/turn.ts";

/** A line of a chat that has the words. */
export interface ChatHit {
  readonly turnId: string;
  /** The line around the words, on one line. */
  readonly line: string;
}

/** Characters before the words that a hit shows, and in all. */
const BEFORE = 40;
const SHOWN = 160;
/** The most hits of a chat. */
const MAX_HITS = 20;

/** Finds words, in any case, in what was asked and answered in a chat, the newest first. */
export function searchChat(tree: TurnTree, words: string): readonly ChatHit[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  const hits: ChatHit[] = [];
  for (const turn of [...tree.turns.values()].reverse()) {
    const texts =
      turn.role === "user"
        ? [turn.text]
        : turn.parts.flatMap((part) =>
            part.type === "text" || part.type === "user-message" ? [part.text] : [],
          );
    for (const line of texts.flatMap((text) => text.split("\n"))) {
      const at = line.toLowerCase().indexOf(wanted);
      // The panel does not show the lines of fences.
      if (at < 0 || parseFenceOpener(line)) continue;
      hits.push({ turnId: turn.id, line: shownLine(line, at) });
      if (hits.length === MAX_HITS) return hits;
    }
  }
  return hits;
}

function shownLine(line: string, at: number): string {
  const from = Math.max(0, at - BEFORE);
  const cut = line.slice(from, from + SHOWN);
  const text = cut.replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${text}${from + SHOWN < line.length ? "…" : ""}`;
}
