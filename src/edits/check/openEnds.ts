import type { PlacedBody } from "../block.ts";
import type { Neighbors } from "../text/fileLines.ts";
import { indentOf } from "../text/indent.ts";
import { isProven, type OpenSides, type ProvenEnds } from "../text/lineChecks.ts";
import { balance } from "./bracketChange.ts";
import { isBlankLine, isFilled, same } from "./repeatedLines.ts";

/** A block with what its checks leave open. */
export interface OpenEnds {
  readonly block: PlacedBody;
  readonly neighbors: Neighbors;
  /** True where its checks leave more than one reading. */
  readonly isUnchecked: boolean;
  /** True where lines may begin, or end, elsewhere: on the given side, or on any. */
  isOpen(end: "first" | "last", side?: keyof OpenSides): boolean;
}

/** What the checks of a block leave open; null for one that names no lines. */
export function openEnds(block: PlacedBody): OpenEnds | null {
  const { body, old, neighbors, proven } = block;
  if (!neighbors || !proven) return null;
  const isAnchored = isProven(proven.first);
  const isClosed =
    (old.length === 0 && isAnchored) ||
    (old.length === 1 && body.length === 1 && isProven(proven.first));
  const certain = proven.checked && isCertain(block, neighbors, proven);
  return {
    block,
    neighbors,
    isUnchecked: proven.checked && !certain,
    isOpen(end, side) {
      if (end === "last" ? isClosed : old.length === 0 && isAnchored) return false;
      return side ? proven[end][side] : !isProven(proven[end]);
    },
  };
}

/** Lines that only close brackets. */
const CLOSERS = /^\s*[)\]}][\s)\]};,]*$/;

/** True where checks that fit lines beside, too, leave one reading: by brackets, ends, indent. */
function isCertain(block: PlacedBody, neighbors: Neighbors, proven: ProvenEnds): boolean {
  const { op, body, old } = block;
  const { above, below } = neighbors;
  if (old.length === 0)
    return isProven(proven.first) || isBlankLine(op === "after" ? above : below);
  const [first, last] = [old[0] ?? "", old.at(-1) ?? ""];
  if (body.length > 0 && body.every(isBlankLine) && old.every(isBlankLine)) return true;
  if (
    body.length === 0 &&
    old.every(isBlankLine) &&
    (old.length === 1 || !(isBlankLine(above) || isBlankLine(below)))
  )
    return true;
  // All lines that the checks fit, and no line beside them.
  if (
    old.every((line) => same(line, first)) &&
    body.length > 0 &&
    !proven.first.outside &&
    !proven.last.outside
  )
    return true;
  const isSpacing = (line: string) => isBlankLine(line) && body.some(isFilled);
  const [before, after] = [balance(old), balance(body)];
  const keepsBalance =
    before.every((count) => count === 0) || before.every((count, kind) => count === after[kind]);
  const closes = (line: string) => CLOSERS.test(line) && keepsBalance;
  const endsBlock =
    !isBlankLine(last) && same(body.at(-1) ?? "", last) && indentOf(below) !== indentOf(last);
  const isFirst = isProven(proven.first) || isSpacing(first) || closes(first);
  return (
    isFirst &&
    (isProven(proven.last) || old.length === 1 || isSpacing(last) || closes(last) || endsBlock)
  );
}
