import { dominantEol, splitLines } from "../../../src/base/text/lines.ts";
import { type LineDifference, lineDiff } from "../../../src/edits/text/lineDiff.ts";
import type { SyntaxDocument, SyntaxElement } from "../../../src/syntax/syntax.ts";
import { type Move, runMoves, type State, singleMoves, targetFrom, withBlock } from "./astMoves.ts";
import { blockText, type EncodedBlock } from "./blockText.ts";

/** A commit as blocks, or the change for which there is none. */
export type Encoding =
  | { readonly ok: true; readonly blocks: readonly EncodedBlock[] }
  | { readonly ok: false; readonly hunk: LineDifference | null; readonly reason: string };

/** How many hunks one block may take together. */
const MOST_TOGETHER = 400;

/** How many hunks an insertion or a removal of a run may take together. */
const MOST_IN_RUN = 3;

/**
 * A hunk of as many old lines as new ones, taken line by line, so that neighbouring one-line
 * elements can be addressed.
 */
function byLine(hunk: LineDifference, before: string, after: string): LineDifference[] {
  const count = hunk.beforeLines.end - hunk.beforeLines.start;
  if (count < 2 || count > 12 || count !== hunk.afterLines.end - hunk.afterLines.start)
    return [hunk];
  let { beforeStart, afterStart } = hunk;
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    const beforeEnd = isLast ? hunk.beforeEnd : before.indexOf("\n", beforeStart) + 1;
    const afterEnd = isLast ? hunk.afterEnd : after.indexOf("\n", afterStart) + 1;
    const beforeLine = hunk.beforeLines.start + index;
    const afterLine = hunk.afterLines.start + index;
    const part = {
      beforeLines: { start: beforeLine, end: beforeLine + 1 },
      afterLines: { start: afterLine, end: afterLine + 1 },
      beforeStart,
      beforeEnd,
      afterStart,
      afterEnd,
    };
    beforeStart = beforeEnd;
    afterStart = afterEnd;
    return part;
  });
}

/**
 * The texts between `after` (index 0) and `before` (the last): in the one of index k the first k
 * hunks are still as in `before`.
 */
function stagesOf(before: string, after: string, hunks: readonly LineDifference[]): string[] {
  const stages = hunks.map(
    ({ beforeEnd, afterEnd }) => before.slice(0, beforeEnd) + after.slice(afterEnd),
  );
  return [after, ...stages];
}

function stateOf(document: SyntaxDocument): State {
  const found = new Map<string, SyntaxElement | null>();
  const { text } = document;
  return {
    text,
    outline: document.outline(),
    element(path) {
      const known = found.get(path);
      if (known !== undefined) return known;
      rewrite(document, text);
      const resolved = document.resolve(path);
      const element = resolved.ok ? resolved.value : null;
      found.set(path, element);
      return element;
    },
    elementsIn(other, paths) {
      rewrite(document, other);
      return paths.flatMap((path) => {
        const resolved = document.resolve(path);
        return resolved.ok ? [resolved.value] : [];
      });
    },
  };
}

/** Makes the document's text another one by one edit. */
function rewrite(document: SyntaxDocument, text: string): void {
  if (document.text === text) return;
  const { sameStart, sameEnd } = targetFrom(document.text, 0, text);
  const overlap = Math.max(0, sameStart + sameEnd - Math.min(document.text.length, text.length));
  const end = sameEnd - overlap;
  document.edit(
    { start: sameStart, end: document.text.length - end },
    text.slice(sameStart, text.length - end),
  );
}

/** The ways from each stage to earlier ones, and the stages whose text has syntax errors. */
function movesFrom(
  document: SyntaxDocument,
  stages: readonly string[],
  hunks: readonly LineDifference[],
  eol: string,
): Move[][] {
  const moves: Move[][] = stages.map(() => []);
  for (let from = stages.length - 1; from > 0; from--) {
    const hunk = hunks[from - 1];
    const text = stages[from];
    if (!hunk || text === undefined) continue;
    rewrite(document, text);
    const state = stateOf(document);
    const found: Move[] = [];
    for (let to = from - 1; to >= Math.max(0, from - MOST_TOGETHER); to--) {
      const first = hunks[to];
      const goal = stages[to];
      if (!first || goal === undefined) continue;
      const target = targetFrom(text, to, goal);
      const lines = {
        first: first.beforeLines.start + 1,
        last: Math.max(first.beforeLines.start + 1, hunk.beforeLines.end),
      };
      const single = singleMoves(state, target, eol, lines);
      found.push(...single);
      if (from - to > MOST_IN_RUN) {
        // What no element holds, none holds with more of the file.
        if (single.length === 0) break;
        continue;
      }
      if (found.length === 0) found.push(...runMoves(state, target, eol, lines, false));
      else if (to === from - 1 && isDear(single, text, goal))
        found.push(...runMoves(state, target, eol, lines, true));
    }
    moves[from] = found;
  }
  return moves;
}

/** True when the cheapest block writes far more than the change. */
function isDear(moves: readonly Move[], text: string, goal: string): boolean {
  const sizes = moves.map(({ blocks }) => blocks.reduce((sum, { body }) => sum + body.length, 0));
  const { sameStart, sameEnd } = targetFrom(text, 0, goal);
  return Math.min(...sizes) > 400 + 3 * Math.max(0, goal.length - sameStart - sameEnd);
}

interface Way {
  readonly cost: number;
  readonly blocks: readonly EncodedBlock[];
}

/**
 * Encodes a change as AST-mode blocks, the cheapest that `cost` knows, from the file's end to its
 * beginning, so that each block meets the text that the ones before it have left. Knows operations
 * by their contract alone. `document` is used up.
 */
export function encodeCommit(
  document: SyntaxDocument,
  after: string,
  lang: string,
  cost: (text: string) => number,
): Encoding {
  const before = document.text;
  const eol = dominantEol(splitLines(before)) ?? "\n";
  const hunks = lineDiff(before, after).flatMap((hunk) => byLine(hunk, before, after));
  const stages = stagesOf(before, after, hunks);
  const moves = movesFrom(document, stages, hunks, eol);
  const ways: (Way | null)[] = [{ cost: 0, blocks: [] }];
  for (let from = 1; from < stages.length; from++) {
    let best: Way | null = null;
    for (const { to, blocks } of moves[from] ?? []) {
      const rest = ways[to];
      if (!rest) continue;
      const total =
        rest.cost + blocks.reduce((sum, block) => sum + cost(blockText(block, lang)), 0);
      if (!best || total < best.cost) best = { cost: total, blocks: [...blocks, ...rest.blocks] };
    }
    ways.push(best);
  }
  const way = ways[stages.length - 1];
  if (!way)
    return { ok: false, hunk: hunks[lastBlocked(ways)] ?? null, reason: "no element for it" };
  rewrite(document, before);
  const reason = replay(document, way.blocks, after);
  return reason === null ? { ok: true, blocks: way.blocks } : { ok: false, hunk: null, reason };
}

/** The index of the hunk before which nothing leads to the end. */
function lastBlocked(ways: readonly (Way | null)[]): number {
  const at = ways.indexOf(null);
  return Math.max(0, at - 1);
}

/** Follows the blocks by the contract; what is wrong with them, or null. */
function replay(
  document: SyntaxDocument,
  blocks: readonly EncodedBlock[],
  after: string,
): string | null {
  const sound = document.errorCount() === 0;
  for (const block of blocks) {
    const found = document.resolve(block.path);
    if (!found.ok) return found.error.code;
    const { text } = document;
    rewrite(document, withBlock(text, block));
    // Among members, what breaks the syntax for want of a comma gets one.
    if (sound && block.op !== "replace" && block !== blocks.at(-1) && document.errorCount() > 0)
      return "breaks the syntax on the way";
  }
  return document.text === after ? null : "does not lead to the file after the commit";
}
