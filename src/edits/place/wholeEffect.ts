import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { OutlineEntry, SyntaxDocument } from "../../syntax/syntax.ts";
import { cutElements, type ReplacedLines } from "../elements/cutElements.ts";
import { doubledElements } from "../elements/doubledElements.ts";
import { lostElements } from "../elements/lostMembers.ts";
import { rewriteDocument } from "../text/changeSet.ts";
import type { WholeEffect } from "./placer.ts";

/** What a block did. */
export interface BlockChange {
  /** The lines of the text before that it replaced. */
  readonly replaced?: ReplacedLines;
  /** The path of the element that it replaced; null for the whole file. */
  readonly element?: string | null;
  /** The path of the element that it may have added members to; null for lines beside one. */
  readonly into?: string | null;
}

interface TextBefore {
  readonly text: string;
  readonly outline: readonly OutlineEntry[];
}

/** What blocks did to the whole, by their ids; the document has the text after them. */
export function wholeEffect(
  { text, outline }: TextBefore,
  document: SyntaxDocument,
  changes: ReadonlyMap<string, BlockChange>,
  ranges: ReadonlyMap<string, OffsetRange>,
): Omit<WholeEffect, "addsSyntaxError"> {
  if (changes.size === 0) return { cuts: new Map() };
  const starts = lineStarts(document.text);
  const after = document.outline();
  const lines = document.text.split(/\r\n|\n|\r/);
  const cutBy = cutElements(outline, after);
  const lost = lostElements(
    { outline, lines: text.split(/\r\n|\n|\r/) },
    { outline: after, lines },
  );
  const doubledBy = doubledElements({
    ...{ before: outline, after, lines },
    language: document.language,
  });
  const found = <Found>(
    find: (
      change: BlockChange,
      written: Parameters<typeof cutBy>[1],
      isThere: boolean,
    ) => Found | null | undefined,
  ): ReadonlyMap<string, Found> =>
    new Map(
      [...changes].flatMap(([blockId, change]) => {
        const { start, end } = ranges.get(blockId) ?? { start: 0, end: 0 };
        const last = lineAt(starts, Math.max(start, end - 1)) + 1;
        const one = find(change, { first: lineAt(starts, start) + 1, last }, start < end);
        return one === null || one === undefined ? [] : [[blockId, one] as const];
      }),
    );
  return {
    cuts: found(({ replaced }, written) => replaced && cutBy(replaced, written)),
    // A later block may have removed all of it.
    gone: found(({ element = null }, written, isThere) =>
      isThere && lost.isGone(element, written) ? element : null,
    ),
    losses: found(({ element }, at) => (element === undefined ? null : lost.members(element, at))),
    doubles: found(({ element, into = element ? null : undefined }, written) =>
      into === undefined ? null : doubledBy(written, into),
    ),
  };
}

/** With more blocks, syntax errors are not traced to single ones. */
const MAX_SINGLE_CHECKS = 20;

/**
 * The same for blocks whose changes are independent. `document` holds the text before, null without
 * a grammar, and is used up; `textWith` gives the text with the changes of some blocks.
 */
export function independentEffect(
  document: SyntaxDocument | null,
  changes: ReadonlyMap<string, BlockChange>,
  ranges: ReadonlyMap<string, OffsetRange>,
  textWith: (blocks: readonly string[]) => string,
): WholeEffect {
  if (!document) return { addsSyntaxError: new Set(), cuts: new Map() };
  const all = [...changes.keys()];
  const before = { text: document.text, outline: document.outline() };
  const isSound = document.errorCount() === 0;
  const errorsWith = (blocks: readonly string[]) => {
    rewriteDocument(document, textWith(blocks));
    return document.errorCount();
  };
  const isBroken = errorsWith(all) > 0 && isSound;
  const effect = wholeEffect(before, document, changes, ranges);
  const breaking =
    isBroken && all.length <= MAX_SINGLE_CHECKS
      ? all.filter((blockId) => errorsWith([blockId]) > 0)
      : [];
  return {
    addsSyntaxError: new Set(isBroken ? (breaking.length > 0 ? breaking : all) : []),
    ...effect,
  };
}
