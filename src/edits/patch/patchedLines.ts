import {
  lineBreakNear,
  lineEnd,
  lineStart,
  nextLine,
  type OffsetRange,
  previousLineEnd,
} from "../../base/text/scan.ts";
import type { BlockWarning } from "../../ports/review.ts";

import { repairBody } from "../blocks/repairBody.ts";
import { type FileLines, neighborsOf } from "../drafts/lineChange.ts";
import { type BracketChange, bracketChange } from "../guards/bracketChange.ts";
import { warningsBy } from "../guards/guardRule.ts";
import { WHITESPACE_RULES } from "../guards/guardRules.ts";
import type { PlacedBlock } from "../guards/placedBlock.ts";
import { isOnlyWhitespace } from "../guards/whitespaceRules.ts";
import type { FileStyle } from "../text/fileStyle.ts";
import type { RepairedPatch } from "./repairPatch.ts";

/** A located patch by the rules of blocks: its slips undone, and what speaks against it. */
export interface PatchedLines {
  readonly patch: RepairedPatch;
  readonly warnings: readonly BlockWarning[];
  readonly brackets: BracketChange;
}

const BREAKS = /\r\n|\n|\r/;

/**
 * Reads a patch as a change of whole lines. One that empties a line deletes it, as an empty block
 * does.
 */
export function patchedLines(
  file: FileLines,
  text: string,
  patch: RepairedPatch,
  style: () => FileStyle,
  path: string,
): PatchedLines {
  const { start, newText, slips } = patch;
  const endsLines =
    /[\r\n]$/.test(text.slice(start, patch.end)) && (newText === "" || /[\r\n]$/.test(newText));
  const end = endsLines ? Math.max(start, previousLineEnd(text, patch.end)) : patch.end;
  const [first, last] = [lineStart(text, start), lineEnd(text, end)];
  const [before, after] = [text.slice(first, start), text.slice(end, last)];
  const old = text.slice(first, last).split(BREAKS);
  if (newText === "" && `${before}${after}`.trim() === "") {
    const whole = deletedLine(text, first, last);
    const brackets = bracketChange([], old, path);
    return { patch: { ...whole, newText, slips }, warnings: [], brackets };
  }
  const body = (
    before +
    (endsLines ? newText.replace(/(?:\r\n|\n|\r)$/, "") : newText) +
    after
  ).split(BREAKS);
  const brackets = bracketChange(body, old, path);
  // The file itself indents a first line that the search text begins within.
  const own = before !== "" && before.trim() === "" && body.length > 1 ? 1 : 0;
  const line = file.starts.indexOf(first);
  const neighbors = neighborsOf(file, line, line + old.length);
  const placed: PlacedBlock = {
    op: "replace",
    body: body.slice(own),
    old: old.slice(own),
    neighbors: {
      ...neighbors,
      textsAbove: own > 0 ? old.slice(0, 1) : neighbors.textsAbove,
      standingAbove: "",
    },
    proven: null,
    path,
    style,
  };
  const isAsWritten = slips.every((slip) => slip === "line-break");
  const repaired = isAsWritten ? repairBody(placed) : { lines: placed.body, slips: [] };
  const warnings = isOnlyWhitespace(repaired.lines, placed.old)
    ? []
    : warningsBy(WHITESPACE_RULES, { ...placed, body: repaired.lines });
  if (repaired.slips.length === 0) return { patch, warnings, brackets };
  const lines = [...body.slice(0, own), ...repaired.lines].join(
    lineBreakNear(text, first, file.eol),
  );
  return {
    patch: { start: first, end: last, newText: lines, slips: [...slips, ...repaired.slips] },
    warnings,
    brackets,
  };
}

/** A line with the break that goes with it where it is deleted. */
function deletedLine(text: string, first: number, last: number): OffsetRange {
  const next = nextLine(text, last);
  return next > last
    ? { start: first, end: next }
    : { start: previousLineEnd(text, first), end: last };
}
