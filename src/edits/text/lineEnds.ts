import { dominantEol, splitLines } from "../../base/text/lines.ts";
import type { Proposal } from "../../ports/review.ts";
import { lineDiff } from "./lineDiff.ts";

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const LINE_END = /\r\n|\r|\n/g;

/** The line ending that VS Code chooses for a document: CRLF if most breaks have a CR. */
export function documentLineEnd(text: string): "\n" | "\r\n" {
  const lineEnds = text.match(LINE_END) ?? [];
  return lineEnds.filter((lineEnd) => lineEnd !== "\n").length > lineEnds.length / 2
    ? "\r\n"
    : "\n";
}

/** Converts all line endings of a text to `lineEnd`. */
export function textWithLineEnds(text: string, lineEnd: "\n" | "\r\n"): string {
  return hasLineEnds(text, lineEnd) ? text : text.replace(LINE_END, lineEnd);
}

function hasLineEnds(text: string, lineEnd: "\n" | "\r\n"): boolean {
  return lineEnd === "\n" ? !text.includes("\r") : !/\r(?!\n)|(?<!\r)\n/.test(text);
}

/**
 * The proposal as a document shows it: with uniform line endings, adjusted block offsets and no
 * lone surrogates. Returns the same object if nothing changes. `shown` is a text known to be
 * normalized, so that only the part added since is checked.
 */
export function withDocumentLineEnds(
  proposal: Proposal,
  lineEnd: "\n" | "\r\n",
  shown: string | null = null,
): Proposal {
  const { change } = proposal;
  if (
    change &&
    change.before === shown &&
    !LONE_SURROGATE.test(change.newText) &&
    hasLineEnds(change.newText, lineEnd)
  )
    return proposal;
  const text = proposal.text.replace(LONE_SURROGATES, "\ufffd");
  if (hasLineEnds(text, lineEnd))
    return text === proposal.text ? proposal : { text, blocks: proposal.blocks };
  const offsets = [...new Set(proposal.blocks.flatMap((block) => [block.start, block.end]))].sort(
    (a, b) => a - b,
  );
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

/** What `original` becomes where `before`, it with other line ends, became `after`. */
export function withOwnLineEnds(original: string, before: string, after: string): string {
  const mark = original.startsWith("\uFEFF") ? "\uFEFF" : "";
  const own = splitLines(original.slice(mark.length)).map(({ text, eol }) => text + eol);
  const lineEnd = dominantEol(splitLines(original === "" ? after : original)) ?? "\n";
  let [text, line] = [mark, 0];
  for (const { beforeLines, afterStart, afterEnd } of lineDiff(before, after)) {
    text += own.slice(line, beforeLines.start).join("");
    text += after.slice(afterStart, afterEnd).replace(LINE_END, lineEnd);
    line = beforeLines.end;
  }
  return text + own.slice(line).join("");
}
