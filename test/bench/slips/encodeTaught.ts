import type { LineDifference } from "../../../src/edits/text/lineDiff.ts";
import type { SyntaxDocument, SyntaxElement } from "../../../src/syntax/syntax.ts";
import { contractSlots, lineStartAt, staysAsIs } from "../coverage/contractSlots.ts";
import { lineBlock } from "./lineBlocks.ts";
import type { SlipBlock } from "./slipMessage.ts";

/** An element by its lines: 1-based and inclusive. */
export interface TaughtElement {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The first line of the comment block directly above, or `startLine`. */
  readonly commentLine: number;
}

/** Elements of up to this many lines are written whole. */
const WHOLE_LINES = 3;
/** Changes with up to this many lines between them, blank ones aside, are one block. */
const GAP_LINES = 2;

/**
 * The change as the model is taught to write it: short elements as a whole, else the changed lines
 * inside of the smallest element that holds them, `@file` where none does; paths by as much of
 * their end as they need. `around` holds that element of each block, without `@file` and
 * `@imports`.
 */
export function encodeTaught(
  document: SyntaxDocument,
  now: readonly string[],
  differences: readonly LineDifference[],
): { readonly blocks: readonly SlipBlock[]; readonly around: readonly TaughtElement[] } {
  const { text } = document;
  const hunks = joinedHunks(differences, text.split("\n"));
  const holders = hunks.map((hunk) => holderOf(document, hunk));
  const wholes = wholeElements(holders).flatMap((holder) => {
    const inside = hunks.filter((hunk) => isInside(hunk, holder));
    const body = wholeBody(text, holder.element, inside, now);
    return body === null ? [] : [{ holder, body }];
  });
  const written = new Set<string>();
  const blocks = hunks.flatMap((hunk, index): SlipBlock[] => {
    const found = wholes.find(({ holder }) => isInside(hunk, holder));
    if (found) {
      const { path } = found.holder;
      if (written.has(path)) return [];
      written.add(path);
      return [
        {
          path: shortPath(document, path),
          lines: null,
          op: "replace",
          checks: [],
          body: found.body,
        },
      ];
    }
    const block = anchored(document, holders[index] ?? null, hunk, lineBlock(hunk, now));
    return [{ ...block, path: block.path && shortPath(document, block.path) }];
  });
  return {
    blocks,
    around: holders.flatMap((holder) =>
      holder === null || holder.path.startsWith("@") ? [] : [holder],
    ),
  };
}

/** A path without the names at its beginning that it does not need. */
function shortPath(document: SyntaxDocument, path: string): string {
  for (let dash = path.lastIndexOf("-"); dash > 0; dash = path.lastIndexOf("-", dash - 1)) {
    const end = path.slice(dash + 1);
    const found = document.resolve(end);
    if (found.ok && found.value.path === path) return end;
  }
  return path;
}

/** Hunks that are close together as one. */
function joinedHunks(
  differences: readonly LineDifference[],
  old: readonly string[],
): LineDifference[] {
  const hunks: LineDifference[] = [];
  for (const next of differences) {
    const last = hunks.at(-1);
    const between = last ? old.slice(last.beforeLines.end, next.beforeLines.start) : [];
    if (last && between.filter((line) => line.trim() !== "").length <= GAP_LINES) {
      const beforeLines = { start: last.beforeLines.start, end: next.beforeLines.end };
      const afterLines = { start: last.afterLines.start, end: next.afterLines.end };
      hunks[hunks.length - 1] = {
        ...last,
        beforeLines,
        afterLines,
        beforeEnd: next.beforeEnd,
        afterEnd: next.afterEnd,
      };
    } else hunks.push(next);
  }
  return hunks;
}

interface Holder extends TaughtElement {
  readonly element: SyntaxElement;
}

/** The outermost of the holders that are small enough to be written whole. */
function wholeElements(holders: readonly (Holder | null)[]): Holder[] {
  const small = holders.flatMap((holder) =>
    holder && !holder.path.startsWith("@") && lineCount(holder) <= WHOLE_LINES ? [holder] : [],
  );
  const byPath = [...new Map(small.map((holder) => [holder.path, holder])).values()];
  const holds = (outer: Holder, inner: Holder) =>
    outer !== inner &&
    outer.startLine <= inner.startLine &&
    inner.endLine <= outer.endLine &&
    lineCount(outer) > lineCount(inner);
  return byPath.filter((inner) => !byPath.some((outer) => holds(outer, inner)));
}

function lineCount({ startLine, endLine }: TaughtElement): number {
  return endLine - startLine + 1;
}

/** True when the old lines lie in the element; an insertion must have lines of it on both sides. */
function isInside(
  { beforeLines: { start, end } }: LineDifference,
  { startLine, endLine }: TaughtElement,
): boolean {
  return start === end
    ? startLine <= start && start < endLine
    : startLine <= start + 1 && end <= endLine;
}

function holderOf(document: SyntaxDocument, hunk: LineDifference): Holder | null {
  const entries = document
    .outline()
    .filter((entry) => isInside(hunk, { ...entry, commentLine: entry.startLine }));
  entries.sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine));
  for (const entry of entries) {
    const holder = holderAt(document, entry.path);
    if (holder && isInside(hunk, holder)) return holder;
  }
  return null;
}

function holderAt(document: SyntaxDocument, path: string): Holder | null {
  const resolved = document.resolve(path);
  if (!resolved.ok || resolved.value.path !== path) return null;
  const element = resolved.value;
  const line = (offset: number) => document.text.slice(0, offset).split("\n").length;
  return {
    path,
    element,
    startLine: line(element.range.start),
    endLine: line(element.range.end),
    commentLine: line(element.commentStart),
  };
}

/** The element's new lines; null where the contract would not leave them as they are. */
function wholeBody(
  text: string,
  element: SyntaxElement,
  hunks: readonly LineDifference[],
  now: readonly string[],
): string[] | null {
  for (const slot of contractSlots(text, element, "\n")) {
    if (slot.op !== "replace") continue;
    const from = lineStartAt(text, slot.start);
    const to = text.indexOf("\n", slot.end) + 1;
    const first = text.slice(0, from).split("\n").length - 1;
    const lines = text.slice(from, to).split("\n").slice(0, -1);
    for (const { beforeLines, afterLines } of hunks.toReversed()) {
      lines.splice(
        beforeLines.start - first,
        beforeLines.end - beforeLines.start,
        ...now.slice(afterLines.start, afterLines.end),
      );
    }
    const whole = lines.map((line) => `${line}\n`).join("");
    const head = text.slice(from, slot.start);
    const tail = text.slice(slot.end, to);
    if (
      whole.length < head.length + tail.length ||
      !whole.startsWith(head) ||
      !whole.endsWith(tail)
    )
      continue;
    const body = whole.slice(head.length, whole.length - tail.length);
    if (staysAsIs(body, slot)) return body.split("\n");
  }
  return null;
}

/**
 * The lines with the path of the element that holds them; an insertion beside an element is
 * anchored in its nearest line.
 */
function anchored(
  document: SyntaxDocument,
  holder: Holder | null,
  hunk: LineDifference,
  block: SlipBlock,
): SlipBlock {
  const { start, end } = hunk.beforeLines;
  if (holder) return { ...block, path: holder.path };
  const entries = start === end ? document.outline() : [];
  const above = entries.findLast(({ endLine }) => endLine === start);
  if (above && holderAt(document, above.path)?.endLine === start)
    return { ...block, path: above.path };
  const below = entries.find(({ startLine }) => startLine === start + 1);
  if (below && holderAt(document, below.path)?.startLine === start + 1) {
    return {
      ...block,
      path: below.path,
      lines: { start: start + 1, end: start + 1 },
      op: "before",
    };
  }
  return { ...block, path: "@file" };
}
