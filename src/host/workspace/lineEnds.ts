import type { Proposal } from "../../ports/review.ts";

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

/** The proposal as a document shows it: one kind of line ends, with block offsets adjusted, and no lone surrogates. */
export function withDocumentLineEnds(proposal: Proposal, lineEnd: "\n" | "\r\n"): Proposal {
  const text = proposal.text.replace(/\p{Surrogate}/gu, "\ufffd");
  if (hasLineEnds(text, lineEnd)) return { ...proposal, text };
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
