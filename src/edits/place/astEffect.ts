import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { OutlineEntry, SyntaxDocument } from "../../syntax/syntax.ts";
import { cutElements, type ReplacedLines } from "../elements/cutElements.ts";
import { doubledElements } from "../elements/doubledElements.ts";
import { lostMembers } from "../elements/lostMembers.ts";
import { countNames, unnumbered } from "../elements/pathNames.ts";
import type { WholeEffect } from "./placer.ts";

/** What AST blocks did, each by its block's id. */
export interface AstChanges {
  /** The lines of the snapshot that blocks replaced. */
  readonly lines: ReadonlyMap<string, ReplacedLines>;
  /** The elements that blocks replaced, by their paths. */
  readonly elements: ReadonlyMap<string, string>;
  /** The elements that blocks added members to; null for an insertion beside one. */
  readonly insertions: ReadonlyMap<string, string | null>;
  /** Where each block's text is now. */
  readonly ranges: ReadonlyMap<string, OffsetRange>;
}

/** What blocks of AST mode do to the whole, from the snapshot's outline and text to the document. */
export function astEffect(
  outline: readonly OutlineEntry[],
  snapshot: string,
  document: SyntaxDocument,
  { lines, elements, insertions, ranges }: AstChanges,
): Omit<WholeEffect, "addsSyntaxError"> {
  if (lines.size + elements.size + insertions.size === 0) return { cuts: new Map() };
  const starts = lineStarts(document.text);
  const linesAt = (blockId: string) => {
    const { start, end } = ranges.get(blockId) ?? { start: 0, end: 0 };
    const last = lineAt(starts, Math.max(start, end - 1)) + 1;
    return { first: lineAt(starts, start) + 1, last };
  };
  const before = { outline, lines: snapshot.split(/\r\n|\n|\r/) };
  const after = { outline: document.outline(), lines: document.text.split(/\r\n|\n|\r/) };
  const cutBy = cutElements(outline, after.outline);
  const lost = lostMembers(before, after);
  const { language } = document;
  const texts = { before: outline, after: after.outline, lines: after.lines, language };
  const doubledBy = doubledElements(texts);
  const [then, now] = [countNames(outline), countNames(after.outline)];
  return {
    cuts: found(lines, (blockId, replaced) => cutBy(replaced, linesAt(blockId))),
    countChange: (path) =>
      (now.get(unnumbered(path))?.count ?? 0) - (then.get(unnumbered(path))?.count ?? 0),
    losses: found(elements, (blockId, path) => lost(path, linesAt(blockId))),
    doubles:
      document.errorCount() > 0
        ? new Map()
        : found(insertions, (blockId, into) => doubledBy(linesAt(blockId), into)),
  };
}

/** What is found for blocks, without those for which it is null. */
function found<Change, Found>(
  changes: ReadonlyMap<string, Change>,
  find: (blockId: string, change: Change) => Found | null,
): ReadonlyMap<string, Found> {
  return new Map(
    [...changes].flatMap(([blockId, change]) => {
      const one = find(blockId, change);
      return one === null ? [] : [[blockId, one] as const];
    }),
  );
}
