import type { Proposal } from "../../ports/review.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const LINE_END = /\r\n|\r|\n/g;

/** The line end that VS Code gives a document on load: the more frequent one, `\n` on a tie or without any. */
export function documentLineEnd(text: string): "\n" | "\r\n" {
  let lf = 0;
  let crlf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf++;
    else lf++;
  }
  return crlf > lf ? "\r\n" : "\n";
}

/** The text with one kind of line ends. */
export function textWithLineEnds(text: string, lineEnd: "\n" | "\r\n"): string {
  return hasLineEnds(text, lineEnd) ? text : text.replace(LINE_END, lineEnd);
}

function hasLineEnds(text: string, lineEnd: "\n" | "\r\n"): boolean {
  return lineEnd === "\n" ? !text.includes("\r") : !/\r(?!\n)|(?<!\r)\n/.test(text);
}

/**
 * The proposal as a document shows it: one kind of line ends, with block offsets adjusted, and no lone surrogates. One that a document
 * shows as it is comes back as it is. `shown` is a text that is known to be so: of one that grew from it only the new part is read.
 */
export function withDocumentLineEnds(proposal: Proposal, lineEnd: "\n" | "\r\n", shown: string | null = null): Proposal {
  const { change } = proposal;
  if (change && change.before === shown && !LONE_SURROGATE.test(change.newText) && hasLineEnds(change.newText, lineEnd)) return proposal;
  const text = proposal.text.replace(LONE_SURROGATES, "\ufffd");
  if (hasLineEnds(text, lineEnd)) return text === proposal.text ? proposal : { text, blocks: proposal.blocks };
  const offsets = [...new Set(proposal.blocks.flatMap((block) => [block.start, block.end]))].sort((a, b) => a - b);
  const moved = new Map<number, number>();
  let next = 0;
  let shift = 0;
  for (const match of text.matchAll(LINE_END)) {
    for (; next < offsets.length && (offsets[next] ?? 0) <= match.index; next++)
      moved.set(offsets[next] ?? 0, (offsets[next] ?? 0) + shift);
    shift += lineEnd.length - match[0].length;
  }
  for (; next < offsets.length; next++) moved.set(offsets[next] ?? 0, (offsets[next] ?? 0) + shift);
  return {
    text: text.replace(LINE_END, lineEnd),
    blocks: proposal.blocks.map((block) => ({
      ...block,
      start: moved.get(block.start) ?? block.start,
      end: moved.get(block.end) ?? block.end,
    })),
  };
}
