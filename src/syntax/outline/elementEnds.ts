import {
  indentAt,
  lineStart,
  type OffsetRange,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import { isBetter } from "./bestDrafts.ts";
import type { CapturedRange, NodePlace, Place } from "./matches.ts";

/** An element with its tails. */
interface Whole {
  end: number;
  hasError: boolean;
  body: Place | null;
}

/** Finds where elements end, which is not always where their nodes do. */
export interface ElementEnds {
  /** The node with what continues it: its tails, and an end marker of its own. */
  withTails(node: NodePlace): Readonly<Whole>;
  /** Moves `end` back over comments and white space, but not over a comment that `isContent`. */
  withoutComments(end: number, isContent?: (commentStart: number) => boolean): number;
  /**
   * Tells which comments, by their start, belong to the indented block at `block` of the element at
   * `start`.
   */
  isInBlock(start: number, block: number): (commentStart: number) => boolean;
  /** An indented block from its first member on, without the rest of the colon's line. */
  firstMember(block: OffsetRange): OffsetRange;
}

/** `tails` are the captured tails and markers. */
export function elementEnds(
  text: string,
  comments: readonly OffsetRange[],
  tails: readonly CapturedRange[],
): ElementEnds {
  const commentStarts = new Map(comments.map(({ start, end }) => [end, start]));
  const commentEnds = new Map(comments.map(({ start, end }) => [start, end]));
  const tailsByStart = bestTails(text, tails);
  return {
    withTails({ start, end, hasError }) {
      const all: Whole = { end: skipSpaceBack(text, end), hasError, body: null };
      for (
        let tail = tailsByStart.get(all.end);
        tail && tail.place.end > all.end;
        tail = tailsByStart.get(all.end)
      ) {
        // Of several elements that end together, an end marker belongs to the one with its indent.
        if (tail.capture === "marker" && indentAt(text, tail.place.start) !== indentAt(text, start))
          break;
        const end = tailEnd(tail, text);
        if (end <= all.end) break;
        all.end = end;
        all.hasError ||= tail.hasError;
        all.body ??= tail.body;
      }
      return all;
    },
    // The node of a JavaScript statement without a semicolon includes the comment after it.
    withoutComments(end, isContent) {
      let at = end;
      for (
        let start = commentStarts.get(at);
        start !== undefined && !isContent?.(start);
        start = commentStarts.get(at)
      ) {
        at = skipSpaceBack(text, start);
      }
      return at;
    },
    // YAML's blocks include the less indented comments above the next element.
    isInBlock: (start, block) => (comment) => {
      const indent = indentAt(text, comment)?.length ?? Number.POSITIVE_INFINITY;
      return indent >= block - lineStart(text, block) && indent > start - lineStart(text, start);
    },
    firstMember({ start, end }) {
      const next = skipSpace(text, start, end);
      const comment = /[\r\n]/.test(text.slice(start, next)) ? undefined : commentEnds.get(next);
      return {
        start: comment === undefined || next === start ? next : skipSpace(text, comment, end),
        end,
      };
    },
  };
}

/** The best tail for each offset that one can continue. */
function bestTails(
  text: string,
  tails: readonly CapturedRange[],
): ReadonlyMap<number, CapturedRange> {
  const byStart = new Map<number, CapturedRange>();
  for (const tail of tails) {
    const at = skipSpaceBack(text, tail.place.start);
    const known = byStart.get(at);
    if (!known || isBetter(tail, tail.place.end, known, known.place.end)) byStart.set(at, tail);
  }
  return byStart;
}

function tailEnd({ capture, place }: CapturedRange, text: string): number {
  return capture === "tail" ? skipSpaceBack(text, place.end) : wordEnd(text, place.end);
}

/** The end of the word after `offset` on its line. */
function wordEnd(text: string, offset: number): number {
  const word = /[ \t]*[^\s;]*/y;
  word.lastIndex = offset;
  return word.test(text) ? word.lastIndex : offset;
}
