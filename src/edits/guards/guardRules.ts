import type { Neighbors } from "../drafts/lineChange.ts";
import type { WholeEffect } from "../drafts/placer.ts";
import type { BracketChange } from "./bracketChange.ts";
import type { GuardRule } from "./guardRule.ts";
import { lostReturn } from "./lostReturn.ts";
import type { OpenEnds } from "./openEnds.ts";
import type { PlacedBlock } from "./placedBlock.ts";
import { holdsRun, isFilled, repeats } from "./repeatedLines.ts";
import type { ChangedWord } from "./typoFinder.ts";
import { leavesBlock, otherIndent, strayBlank } from "./whitespaceRules.ts";

/** A rule for lines that may be the wrong ones; it counts where checks leave that end open outside. */
function lineRule(
  name: string,
  says: string,
  end: "first" | "last",
  applies: (block: PlacedBlock, neighbors: Neighbors) => boolean,
): GuardRule<OpenEnds> {
  return {
    name,
    says,
    find({ block, neighbors, isOpen }) {
      const { body } = block;
      if (body.length === 0 || !isOpen(end, "outside")) return null;
      const line = (end === "first" ? body[0] : body.at(-1)) ?? "";
      return applies(block, neighbors) ? { code: "repeats-line", line: line.trim() } : null;
    },
  };
}

/** Rules for blocks that name lines; the first one that applies counts. Exact ones come first. */
export const LINE_RULES: readonly GuardRule<OpenEnds>[] = [
  lineRule(
    "begins as above",
    "The body begins with the nearest line of text above, which the replaced lines do not.",
    "first",
    ({ body, old }, { textsAbove }) =>
      repeats(body.find(isFilled), textsAbove[0], old.find(isFilled)),
  ),
  lineRule(
    "ends as below",
    "The body ends with the nearest line of text below, which the replaced lines do not.",
    "last",
    ({ body, old }, { textsBelow }) =>
      repeats(body.findLast(isFilled), textsBelow[0], old.findLast(isFilled)),
  ),
  lineRule(
    "holds the line above",
    "The body holds that line, or the two above, anywhere; the replaced lines do not.",
    "first",
    (block, { textsAbove }) =>
      holdsRun(block, textsAbove.slice(0, 1)) || holdsRun(block, textsAbove.toReversed()),
  ),
  lineRule(
    "holds the line below",
    "The body holds that line, or the two below, anywhere; the replaced lines do not.",
    "last",
    (block, { textsBelow }) =>
      holdsRun(block, textsBelow.slice(0, 1)) || holdsRun(block, textsBelow),
  ),
  {
    name: "loses a return",
    says: "The only replaced line gives a value back at a block's end, and the body goes on there.",
    find({ block, neighbors, isOpen }) {
      const line = isOpen("first") ? lostReturn(block, neighbors) : null;
      return line === null ? null : { code: "loses-return", line };
    },
  },
  {
    name: "open end",
    says: "Its checks are for the first of several lines alone, or also fit the line beside.",
    find: ({ isUnchecked }) => (isUnchecked ? { code: "unchecked-end" } : null),
  },
];

/** A rule for white space that is likely a slip but cannot be fixed for certain. */
function whitespaceRule(
  name: string,
  says: string,
  find: (block: PlacedBlock) => string | undefined,
): GuardRule<PlacedBlock> {
  return {
    name,
    says,
    find(block) {
      const line = find(block);
      return line === undefined ? null : { code: "whitespace", line: line.trim() };
    },
  };
}

/** Rules for lines that are written; a change of white space alone is meant. */
export const WHITESPACE_RULES: readonly GuardRule<PlacedBlock>[] = [
  whitespaceRule(
    "spaces for tabs",
    "The body is indented with spaces where the lines around have tabs; not in Python.",
    otherIndent,
  ),
  whitespaceRule(
    "blank at the end",
    "The only line of the body ends with a blank that the file does not have.",
    strayBlank,
  ),
  whitespaceRule(
    "outside of its block",
    "The body begins nearer to the margin than all lines that it replaces, or that are around it.",
    leavesBlock,
  ),
];

/** A body, and what it replaces: both without blank lines. */
export interface ReplacedText {
  readonly removed: number;
  readonly written: number;
  readonly isFile: boolean;
}

/** Rules for text that is lost; a deletion that was asked for is none. */
export const LENGTH_RULES: readonly GuardRule<ReplacedText>[] = [
  {
    name: "short file",
    says: "A whole file has less than half of its lines left.",
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
  leavesBracket(change: BracketChange): boolean;
  /** Absent for one that never was in the draft. */
  readonly placed: PlacedBlock | undefined;
  /** Finds a typo in a body, given the text before and after all blocks. */
  readonly typoIn: (placed: PlacedBlock) => ChangedWord | null;
  readonly path: string;
  /** True where the model says a name elsewhere. */
  isNamed(name: string): boolean;
}

/** Rules for a block once all are in. */
export const WHOLE_RULES: readonly GuardRule<AmongOthers>[] = [
  {
    name: "syntax error",
    says: "The block adds a syntax error to a file that had none.",
    find: ({ blockId, effect }) =>
      effect?.addsSyntaxError.has(blockId) ? { code: "syntax" } : null,
  },
  {
    name: "Python's lines, and JSON by any name",
    says: "Python's tokenizer, or `JSON.parse` as far as the file kept to it, finds more errors.",
    find: ({ blockId, textErrors }) => (textErrors.has(blockId) ? { code: "syntax" } : null),
  },
  {
    name: "loses an element's head",
    says: "It replaces an element's first line without its end, and begins no other in its place.",
    find({ blockId, effect, isUncertain }) {
      const path = isUncertain ? effect?.cuts.get(blockId) : undefined;
      return path === undefined ? null : { code: "cuts-element", path };
    },
  },
  {
    name: "bracket without its other end",
    says: "Its lines cut a pair that nothing restores, where no grammar finds the file sound.",
    find({ blockId, effect, isUncertain, change, leavesBracket }) {
      const isCut = isUncertain && effect?.cuts.has(blockId);
      return !isCut && change && leavesBracket(change) ? { code: "cuts-brackets" } : null;
    },
  },
  {
    name: "element twice",
    says: "What it writes is an element that now stands a second time beside one of its name.",
    find({ blockId, effect }) {
      const path = effect?.doubles?.get(blockId);
      return path === undefined ? null : { code: "doubles-element", path };
    },
  },
  {
    name: "members gone",
    says: "Members that it replaced are nowhere in the file, and the answer does not name them.",
    find({ blockId, effect, path, isNamed }) {
      const loss = effect?.losses?.get(blockId);
      const names = loss?.names.filter((name) => !isNamed(name)) ?? [];
      return names.length > 0 ? { code: "loses-members", path: loss?.path || path, names } : null;
    },
  },
  {
    name: "typo",
    says: "A line copied from the file has one letter changed in a word that is nowhere else.",
    find({ placed, typoIn }) {
      const typo = placed ? typoIn(placed) : null;
      return typo && { code: "typo", ...typo };
    },
  },
];
