import type { BlockWarning } from "../../ports/review.ts";
import type { Neighbors } from "../drafts/lineChange.ts";
import type { WholeEffect } from "../drafts/placer.ts";
import type { OpenSides } from "../text/lineChecks.ts";
import type { BracketChange } from "./bracketChange.ts";
import { commentForCode } from "./commentForCode.ts";
import type { GuardRule } from "./guardRule.ts";
import { endsBeforeLast, fitsBeside, isMoreAlike, takesUp } from "./lineLikeness.ts";
import { lostReturn } from "./lostReturn.ts";
import type { OpenEnds } from "./openEnds.ts";
import type { PlacedBlock } from "./placedBlock.ts";
import {
  breaksUp,
  endsElsewhere,
  holdsRun,
  isFilled,
  isTooDeep,
  repeats,
  repeatsCondition,
  standsLike,
} from "./repeatedLines.ts";
import type { ChangedWord } from "./typoFinder.ts";
import {
  leavesBlock,
  otherIndent,
  splitsBlock,
  strayBlank,
  strayMethod,
} from "./whitespaceRules.ts";

/**
 * A rule for lines that may be the wrong ones; it counts where checks leave that end open to that
 * side. `byLikeness` says nothing against a certain reading.
 */
function lineRule(
  name: string,
  [end, side, byLikeness]: readonly [
    end: "first" | "last",
    side?: keyof OpenSides | undefined,
    byLikeness?: "by likeness",
  ],
  applies: (block: PlacedBlock, neighbors: Neighbors) => boolean,
): GuardRule<OpenEnds> {
  return {
    name,
    find({ block, neighbors, isOpen }) {
      const { body } = block;
      if (body.length === 0 || !isOpen(end, side, byLikeness !== undefined)) return null;
      const line = (end === "first" ? body[0] : body.at(-1)) ?? "";
      return applies(block, neighbors) ? { code: "repeats-line", line: line.trim() } : null;
    },
  };
}

/** Rules for blocks that name lines; the first one that applies counts. Exact ones come first. */
export const LINE_RULES: readonly GuardRule<OpenEnds>[] = [
  // The body begins, or ends, with the nearest line of text outside.
  lineRule("begins as above", ["first", "outside"], ({ body, old }, { textsAbove }) =>
    repeats(body.find(isFilled), textsAbove[0], old.find(isFilled)),
  ),
  lineRule("ends as below", ["last", "outside"], ({ body, old }, { textsBelow }) =>
    repeats(body.findLast(isFilled), textsBelow[0], old.findLast(isFilled)),
  ),
  // It begins with the condition that it stands in.
  lineRule("repeats its condition", ["first", "outside"], ({ body }, { textsAbove }) =>
    repeatsCondition(body.find(isFilled), textsAbove[0]),
  ),
  // It holds that line, or that and the next, anywhere.
  lineRule(
    "holds the line above",
    ["first", "outside"],
    (block, { textsAbove }) =>
      holdsRun(block, textsAbove.slice(0, 1)) || holdsRun(block, textsAbove.toReversed()),
  ),
  lineRule(
    "holds the line below",
    ["last", "outside"],
    (block, { textsBelow }) =>
      holdsRun(block, textsBelow.slice(0, 1)) || holdsRun(block, textsBelow),
  ),
  lineRule(
    "breaks up a block",
    ["first"],
    ({ body, old, proven }, { above, below }) =>
      old.length === 0 && breaksUp(body, above, below, proven?.checked ?? false),
  ),
  lineRule(
    "deeper than what ends above",
    ["first"],
    ({ body, old }, { above, below }) =>
      isTooDeep(body[0] ?? "", above) && !isTooDeep(old[0] ?? below, above),
  ),
  lineRule(
    "stands like the line before the last",
    ["last", "inside", "by likeness"],
    ({ body, old }) =>
      old.length > 1 && standsLike(body.at(-1) ?? "", old.at(-2) ?? "", old.at(-1) ?? ""),
  ),
  lineRule(
    "one of the last two blank",
    ["last", "inside", "by likeness"],
    ({ body, old }) => old.length > 1 && endsElsewhere(body, old),
  ),
  lineRule(
    "ends like the line before the last",
    ["last", "inside", "by likeness"],
    ({ body, old }) => old.length > 1 && endsBeforeLast(body, old),
  ),
  lineRule(
    "fits a line beside",
    ["last", undefined, "by likeness"],
    ({ body, old }, { above, below }) => old.length > 0 && fitsBeside(body, old, above, below),
  ),
  lineRule(
    "ends like the line below",
    ["last", "outside", "by likeness"],
    ({ body, old }, { below }) => old.length > 0 && isMoreAlike(body.at(-1) ?? "", below, old),
  ),
  lineRule(
    "takes up the line below",
    ["last", "outside", "by likeness"],
    ({ body, old }, { below }) => old.length > 0 && takesUp(body, below, old),
  ),
  // Inserted by mistake in place of a block's end.
  {
    name: "loses a return",
    find({ block, neighbors, isOpen }) {
      const line = isOpen("first") ? lostReturn(block, neighbors) : null;
      return line === null ? null : { code: "loses-return", line };
    },
  },
  // Its checks leave an end open.
  {
    name: "open end",
    find: ({ isUnchecked }) => (isUnchecked ? { code: "unchecked-end" } : null),
  },
];

/** A rule for white space that is likely a slip but cannot be fixed for certain. */
function whitespaceRule(
  name: string,
  find: (block: PlacedBlock) => string | undefined,
): GuardRule<PlacedBlock> {
  return {
    name,
    find(block) {
      const line = find(block);
      return line === undefined ? null : { code: "whitespace", line: line.trim() };
    },
  };
}

/** Rules for lines that are written; a change of white space alone is meant. */
export const WHITESPACE_RULES: readonly GuardRule<PlacedBlock>[] = [
  whitespaceRule("spaces for tabs", otherIndent),
  whitespaceRule("blank at the end", strayBlank),
  whitespaceRule("outside of its block", leavesBlock),
  whitespaceRule("splits a block", splitsBlock),
  whitespaceRule("method at the margin", strayMethod),
];

/** A body, and what it replaces: both without blank lines. */
export interface ReplacedText {
  readonly removed: number;
  readonly written: number;
  readonly isFile: boolean;
}

/** Rules for a body beside the lines it replaces; none for a deletion. */
export const BODY_RULES: readonly GuardRule<PlacedBlock>[] = [
  {
    name: "comment for code",
    find({ body, old, path }) {
      const line = commentForCode(body, old, path);
      return line === null ? null : { code: "elision", line };
    },
  },
];

/** Rules for text that is lost; a deletion that was asked for is none. */
export const LENGTH_RULES: readonly GuardRule<ReplacedText>[] = [
  {
    name: "short file",
    find: ({ removed, written, isFile }) =>
      isFile && removed >= 8 && written * 2 < removed
        ? { code: "deletion", removed, written }
        : null,
  },
];

/** A block among the others of its message, once all are in. */
export interface AmongOthers {
  readonly blockId: string;
  /** Null without a placer. */
  readonly effect: WholeEffect | null;
  /** Blocks that break the lines of Python. */
  readonly textErrors: ReadonlySet<string>;
  /** True unless checks prove both ends of its lines. */
  readonly isUncertain: boolean;
  /** What a block that names lines does to brackets. */
  readonly change: BracketChange | undefined;
  leavesPair(change: BracketChange): "bracket" | "comment" | null;
  /** Absent for one that never was in the draft. */
  readonly placed: PlacedBlock | undefined;
  /** Finds a typo in a body, given the text before and after all blocks. */
  readonly typoIn: (placed: PlacedBlock) => ChangedWord | null;
  readonly path: string;
  /** True where the model says a name elsewhere. */
  isNamed(name: string): boolean;
  /** What has been said of it so far. */
  readonly warnings: readonly BlockWarning[];
  /** True where another block that no check proves is likely for other lines. */
  readonly isBesideMisplaced: boolean;
}

function pairRule(name: string, kind: "bracket" | "comment"): GuardRule<AmongOthers> {
  return {
    name,
    find({ blockId, effect, isUncertain, change, leavesPair }) {
      const isCut = isUncertain && effect?.cuts.has(blockId);
      return !isCut && change && leavesPair(change) === kind ? { code: "cuts-brackets" } : null;
    },
  };
}

/** Rules for a block once all are in. */
export const WHOLE_RULES: readonly GuardRule<AmongOthers>[] = [
  {
    name: "syntax error",
    find: ({ blockId, effect }) =>
      effect?.addsSyntaxError.has(blockId) ? { code: "syntax" } : null,
  },
  {
    name: "Python's lines, and JSON by any name",
    find: ({ blockId, textErrors }) => (textErrors.has(blockId) ? { code: "syntax" } : null),
  },
  {
    name: "loses an element's head",
    find({ blockId, effect, isUncertain }) {
      const path = isUncertain ? effect?.cuts.get(blockId) : undefined;
      return path === undefined ? null : { code: "cuts-element", path };
    },
  },
  pairRule("bracket without its other end", "bracket"),
  pairRule("comment without its other end", "comment"),
  {
    name: "element twice",
    find({ blockId, effect }) {
      const path = effect?.doubles?.get(blockId);
      return path === undefined ? null : { code: "doubles-element", path };
    },
  },
  {
    name: "element gone",
    find({ blockId, effect }) {
      const path = effect?.gone?.get(blockId);
      return path === undefined ? null : { code: "loses-element", path };
    },
  },
  {
    name: "members gone",
    find({ blockId, effect, path, isNamed }) {
      const loss = effect?.losses?.get(blockId);
      const names = loss?.names.filter((name) => !isNamed(name)) ?? [];
      return names.length > 0 && !effect?.gone?.has(blockId)
        ? { code: "loses-members", path: loss?.path || path, names }
        : null;
    },
  },
  {
    name: "typo",
    find({ placed, typoIn }) {
      const typo = placed ? typoIn(placed) : null;
      return typo && { code: "typo", ...typo };
    },
  },
];

/** Warnings of lines that are likely the wrong ones. */
const MISPLACED: ReadonlySet<BlockWarning["code"]> = new Set([
  "repeats-line",
  "cuts-element",
  "cuts-brackets",
  "syntax",
]);

/** True for lines that no check proves and that are likely the wrong ones. */
export function isMisplaced({ change, isUncertain, warnings }: AmongOthers): boolean {
  return change !== undefined && isUncertain && warnings.some(({ code }) => MISPLACED.has(code));
}

/** Rules for a block because of the others: who counts wrong once counts wrong throughout. */
export const BESIDE_RULES: readonly GuardRule<AmongOthers>[] = [
  {
    name: "beside wrong lines",
    find: ({ change, isUncertain, warnings, isBesideMisplaced }) =>
      isBesideMisplaced &&
      change &&
      isUncertain &&
      !warnings.some(({ code }) => MISPLACED.has(code) || code === "unchecked-end")
        ? { code: "unchecked-end" }
        : null,
  },
];
