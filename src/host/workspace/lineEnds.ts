import type { Proposal } from "../../ports/review.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const LINE_END = /\r\n|\r|\n/g;

/** The line end that VS Code gives a document on load: CRLF when more than half of them have a carriage return, lone ones included. */
export function documentLineEnd(text: string): "\n" | "\r\n" {
  const lineEnds = text.match(LINE_END) ?? [];
  return lineEnds.filter((lineEnd) => lineEnd !== "\n").length > lineEnds.length / 2 ? "\r\n" : "\n";
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
  let before = "";
  let from = 0;
  for (const offset of offsets) {
    const isInside = offset > 0 && text.startsWith("\r\n", offset - 1);
    const to = isInside ? offset - 1 : offset;
    before += textWithLineEnds(text.slice(from, to), lineEnd);
    moved.set(offset, before.length);
    from = to;
  }
  return {
    text: before + textWithLineEnds(text.slice(from), lineEnd),
    blocks: proposal.blocks.map((block) => ({
      ...block,
      start: moved.get(block.start) ?? block.start,
      end: moved.get(block.end) ?? block.end,
    })),
  };
}
