import { indentAt, lineStart, skipSpace, skipSpaceBack } from "../base/text/scan.ts";
import { isBetter } from "./bestDrafts.ts";
import type { CapturedRange, NodePlace, Place } from "./symbolMatches.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** An element with what goes on where its node ends. */
interface Whole {
  end: number;
  hasError: boolean;
  body: Place | null;
}

/** Where elements end, which is not always where their nodes do. */
export interface ElementEnds {
  /** The node with its tails: what goes on where it ends, and the first word of an end that is its own. */
  withTails(node: NodePlace): Readonly<Whole>;
  /** `end`, before the comments and white space that stand in front of it; a comment that `isContent` stays. */
  withoutComments(end: number, isContent?: (commentStart: number) => boolean): number;
  /** Which comments, by their start, are content of an indented block that begins at `block`, of an element that begins at `start`. */
  isInBlock(start: number, block: number): (commentStart: number) => boolean;
  /** An indented block, from its first member on, not from what is left of the line of the colon before it. */
  firstMember(block: OffsetRange): OffsetRange;
}

/** Reads in `text` where elements end; `tails` are the captured tails and markers. */
export function elementEnds(text: string, comments: readonly OffsetRange[], tails: readonly CapturedRange[]): ElementEnds {
  const commentStarts = new Map(comments.map(({ start, end }) => [end, start]));
  const commentEnds = new Map(comments.map(({ start, end }) => [start, end]));
  const tailsByStart = bestTails(text, tails);
  return {
    withTails({ start, end, hasError }) {
      const all: Whole = { end: skipSpaceBack(text, end), hasError, body: null };
      for (let tail = tailsByStart.get(all.end); tail && tail.place.end > all.end; tail = tailsByStart.get(all.end)) {
        // What ends several elements that end together stands below the first word of its own.
        if (tail.capture === "marker" && indentAt(text, tail.place.start) !== indentAt(text, start)) break;
        const end = tailEnd(tail, text);
        if (end <= all.end) break;
        all.end = end;
        all.hasError ||= tail.hasError;
        all.body ??= tail.body;
      }
      return all;
    },
    // A JavaScript statement without a semicolon takes the comment behind it along; in an indented block it is content.
    withoutComments(end, isContent) {
      let at = end;
      for (let start = commentStarts.get(at); start !== undefined && !isContent?.(start); start = commentStarts.get(at)) {
        at = skipSpaceBack(text, start);
      }
      return at;
    },
    // YAML's blocks take the comments above the next element along, which stand further left.
    isInBlock: (start, block) => (comment) => {
      const indent = indentAt(text, comment)?.length ?? Number.POSITIVE_INFINITY;
      return indent >= block - lineStart(text, block) && indent > start - lineStart(text, start);
    },
    firstMember({ start, end }) {
      const next = skipSpace(text, start, end);
      const comment = /[\r\n]/.test(text.slice(start, next)) ? undefined : commentEnds.get(next);
      return { start: comment === undefined || next === start ? next : skipSpace(text, comment, end), end };
    },
  };
}

/** The tails by the end of what stands before them, one for each. */
function bestTails(text: string, tails: readonly CapturedRange[]): ReadonlyMap<number, CapturedRange> {
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

/** Where the word ends that stands behind `offset` on its line. */
function wordEnd(text: string, offset: number): number {
  const word = /[ \t]*[^\s;]*/y;
  word.lastIndex = offset;
  return word.test(text) ? word.lastIndex : offset;
}
