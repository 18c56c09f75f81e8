import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import { cutElements, type ReplacedLines } from "../elements/cutElements.ts";
import { doubledElements } from "../elements/doubledElements.ts";
import { editsBetween } from "../text/changeSet.ts";
import type { WholeEffect } from "./placer.ts";

/** What a block did to lines. */
export interface ChangedLines {
  readonly blockId: string;
  /** The lines of the text before that it replaced; null for an insertion. */
  readonly replaced: ReplacedLines | null;
  /** Where its text is in the text after all blocks. */
  readonly range: OffsetRange;
}

/** With more blocks, syntax errors are not traced to single ones. */
const MAX_SINGLE_CHECKS = 20;

/**
 * What blocks that change lines do to the whole. `document` holds the text before, null without a
 * grammar, and is used up; `textWith` gives the text with the changes of some blocks.
 */
export function lineEffect(
  document: SyntaxDocument | null,
  changes: readonly ChangedLines[],
  textWith: (blocks: readonly string[]) => string,
): WholeEffect {
  if (!document) return { addsSyntaxError: new Set(), cuts: new Map() };
  const all = changes.map(({ blockId }) => blockId);
  const outline = document.outline();
  const isSound = document.errorCount() === 0;
  const errorsWith = (blocks: readonly string[]) => {
    for (const edit of editsBetween(document.text, textWith(blocks)).reverse())
      document.edit(edit, edit.newText);
    return document.errorCount();
  };
  const isBroken = errorsWith(all) > 0 && isSound;
  const after = document.outline();
  const starts = lineStarts(document.text);
  const lines = document.text.split(/\r\n|\n|\r/);
  const cutBy = cutElements(outline, after);
  const doubledBy = doubledElements({
    ...{ before: outline, after, lines },
    language: document.language,
  });
  const cuts = new Map<string, string>();
  const doubles = new Map<string, string>();
  for (const { blockId, replaced, range } of changes) {
    const written = {
      first: lineAt(starts, range.start) + 1,
      last: lineAt(starts, Math.max(range.start, range.end - 1)) + 1,
    };
    const cut = replaced && cutBy(replaced, written);
    if (cut !== null) cuts.set(blockId, cut);
    const double = doubledBy(written, null);
    if (double !== null) doubles.set(blockId, double);
  }
  const breaking =
    isBroken && all.length <= MAX_SINGLE_CHECKS
      ? all.filter((blockId) => errorsWith([blockId]) > 0)
      : [];
  const addsSyntaxError = new Set(isBroken ? (breaking.length > 0 ? breaking : all) : []);
  return { addsSyntaxError, cuts, doubles };
}
