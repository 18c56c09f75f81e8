import type { OffsetRange } from "../../../src/base/text/scan.ts";
import type { OutlineEntry, SyntaxElement } from "../../../src/syntax/syntax.ts";
import type { EncodedBlock } from "./blockText.ts";
import { contractEmptying, contractRemoval } from "./contractRemoval.ts";
import { contractSlots, staysAsIs } from "./contractSlots.ts";

/** Blocks that turn a text into another one. */
export interface Move {
  /** Index of the target text. */
  readonly to: number;
  readonly blocks: readonly EncodedBlock[];
}

/**
 * A text that moves may lead to; `same` counts the UTF-16 units that it shares with the present
 * text at either end.
 */
export interface Target {
  readonly to: number;
  readonly text: string;
  readonly sameStart: number;
  readonly sameEnd: number;
}

/** How many neighbours of a change are looked at on each side. */
const NEIGHBOURS = 4;
/** The most elements that are removed together. */
const LONGEST_RUN = 12;

/** The target with what it shares with `text`. */
export function targetFrom(text: string, to: number, target: string): Target {
  const most = Math.min(text.length, target.length);
  let sameStart = 0;
  while (sameStart < most && text[sameStart] === target[sameStart]) sameStart++;
  let sameEnd = 0;
  while (sameEnd < most && text[text.length - 1 - sameEnd] === target[target.length - 1 - sameEnd])
    sameEnd++;
  return { to, text: target, sameStart, sameEnd };
}

/**
 * What the target has between two places of the text, both outside of the change; null where they
 * are not.
 */
function between(
  text: string,
  { text: target, sameStart, sameEnd }: Target,
  start: number,
  end: number,
): string | null {
  if (start > sameStart || text.length - end > sameEnd) return null;
  const targetEnd = target.length - (text.length - end);
  return targetEnd < start ? null : target.slice(start, targetEnd);
}

/** The block that makes the target in one go with this element, for each of its slots that can. */
function writingBlocks(
  text: string,
  element: SyntaxElement,
  target: Target,
  eol: string,
): EncodedBlock[] {
  return contractSlots(text, element, eol).flatMap((slot) => {
    const { start, end, before, after, op } = slot;
    const newText = between(text, target, start, end);
    if (newText === null || newText.length < before.length + after.length) return [];
    if (!newText.startsWith(before) || !newText.endsWith(after)) return [];
    const body = newText.slice(before.length, newText.length - after.length);
    if (
      !staysAsIs(body, slot) ||
      /\r(?!\n)/.test(body) ||
      (eol === "\r\n" && /(?<!\r)\n/.test(body))
    )
      return [];
    if (eol === "\n" && body.includes("\r")) return [];
    return [{ path: element.path, op, body, start, end, newText }];
  });
}

function deletionBlocks(text: string, element: SyntaxElement): EncodedBlock[] {
  const removal = contractRemoval(text, element);
  const emptying = contractEmptying(text, element);
  const { path } = element;
  return [
    ...(removal ? [{ path, op: "remove" as const, body: "", newText: "", ...removal }] : []),
    ...(emptying ? [{ path, op: "replace" as const, body: "", newText: "", ...emptying }] : []),
  ];
}

/** The text after a block. */
export function withBlock(text: string, { start, end, newText }: EncodedBlock): string {
  return text.slice(0, start) + newText + text.slice(end);
}

/** 1-based lines of the change, in the present text. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

function elementsNear(
  entries: readonly OutlineEntry[],
  { first, last }: ChangedLines,
): OutlineEntry[] {
  const around = entries.filter(
    (entry) => entry.startLine <= last + 1 && entry.endLine >= first - 1,
  );
  const above = entries.filter((entry) => entry.endLine < first - 1);
  const below = entries.filter((entry) => entry.startLine > last + 1);
  above.sort((a, b) => b.endLine - a.endLine || a.startLine - b.startLine);
  below.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return [...around, ...above.slice(0, NEIGHBOURS), ...below.slice(0, NEIGHBOURS)];
}

/**
 * Runs of neighbouring elements that may stand for each other's lines: those that the change
 * touches, with or without the first and the last of them and one more at either end.
 */
function runsNear(
  elements: readonly SyntaxElement[],
  text: string,
  target: Target,
  onlyTouched: boolean,
): SyntaxElement[][] {
  const from = target.sameStart;
  const to = text.length - target.sameEnd;
  const [low, high] = from <= to ? [from, to] : [to, from];
  const parts = elements.filter(
    ({ path, range }) => !path.startsWith("@") && !(range.start <= low && range.end >= high),
  );
  const isInside = (inner: OffsetRange, outer: OffsetRange) =>
    inner.start >= outer.start &&
    inner.end <= outer.end &&
    inner.end - inner.start < outer.end - outer.start;
  const outermost = parts.filter(
    (part) => !parts.some((other) => isInside(part.range, other.range)),
  );
  outermost.sort((a, b) => a.range.start - b.range.start);
  const touched = outermost.filter(
    ({ commentStart, range }) => commentStart <= high && range.end >= low,
  );
  if (onlyTouched && touched.length === 0) return [];
  const first = outermost.findIndex(({ range }) => range.end >= low);
  const at = first < 0 ? outermost.length : first;
  const runs: SyntaxElement[][] = [];
  for (const start of [at - 1, at, at + 1]) {
    for (const end of [at + touched.length - 1, at + touched.length, at + touched.length + 1]) {
      const run = outermost.slice(Math.max(0, start), Math.max(0, end));
      if (run.length > 0 && run.length <= LONGEST_RUN && start >= 0) runs.push(run);
    }
  }
  return runs;
}

/**
 * The run's removals, from the last to the first, and the text after them; null where one cannot be
 * removed.
 */
function withoutRun(
  text: string,
  run: readonly SyntaxElement[],
): { readonly text: string; readonly blocks: EncodedBlock[] } | null {
  let current = text;
  const blocks: EncodedBlock[] = [];
  for (const element of run.toReversed()) {
    const removal = contractRemoval(current, element);
    if (!removal) return null;
    const block = { path: element.path, op: "remove" as const, body: "", newText: "", ...removal };
    blocks.push(block);
    current = withBlock(current, block);
  }
  return { text: current, blocks };
}

/** A text with its elements; `elementsIn` looks paths up in another text. */
export interface State {
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
  element(path: string): SyntaxElement | null;
  elementsIn(text: string, paths: readonly string[]): SyntaxElement[];
}

/**
 * The blocks that each lead from the state's text to the target alone. `lines` are those of the
 * change in the state's text.
 */
export function singleMoves(
  state: State,
  target: Target,
  eol: string,
  lines: ChangedLines,
): Move[] {
  const length = state.text.length;
  const onlyAdds = target.sameStart + target.sameEnd >= length;
  // An element that does not hold all of a change can only insert or be removed.
  const holds = ({ range }: SyntaxElement) => length - range.end <= target.sameEnd;
  const onlyRemoves = target.sameStart + target.sameEnd >= target.text.length;
  return elementsAt(state, lines).flatMap((element) => {
    if (!onlyAdds && !onlyRemoves && !holds(element)) return [];
    const deletions = deletionBlocks(state.text, element).filter(
      (block) => withBlock(state.text, block) === target.text,
    );
    return [...writingBlocks(state.text, element, target, eol), ...deletions].map((block) => ({
      to: target.to,
      blocks: [block],
    }));
  });
}

/**
 * Removals of neighbouring elements at the change, and a block that writes what stands in their
 * place; with `onlyTouched` none where the change lies inside of one element.
 */
export function runMoves(
  state: State,
  target: Target,
  eol: string,
  lines: ChangedLines,
  onlyTouched: boolean,
): Move[] {
  const { text } = state;
  const elements = elementsAt(state, lines);
  const moves: Move[] = [];
  for (const run of runsNear(elements, text, target, onlyTouched)) {
    const removed = withoutRun(text, run);
    if (!removed) continue;
    if (removed.text === target.text) {
      moves.push({ to: target.to, blocks: removed.blocks });
      continue;
    }
    const rest = targetFrom(removed.text, target.to, target.text);
    const gone = new Set(run.map(({ path }) => path));
    const others = elements.filter(({ path }) => !gone.has(path)).map(({ path }) => path);
    for (const element of state.elementsIn(removed.text, others)) {
      for (const block of writingBlocks(removed.text, element, rest, eol)) {
        moves.push({ to: target.to, blocks: [...removed.blocks, block] });
      }
    }
  }
  return moves;
}

function elementsAt(state: State, lines: ChangedLines): SyntaxElement[] {
  const paths = new Set([
    ...elementsNear(state.outline, lines).map(({ path }) => path),
    "@imports",
    "@file",
  ]);
  return [...paths].flatMap((path) => state.element(path) ?? []);
}
