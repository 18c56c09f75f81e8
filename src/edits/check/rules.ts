import type { BlockWarning } from "../../ports/review.ts";
import type { Block, PlacedBody } from "../block.ts";
import type { WholeEffect } from "../place/placer.ts";
import type { Neighbors } from "../text/fileLines.ts";
import { indentOf } from "../text/indent.ts";
import { isProven } from "../text/lineChecks.ts";
import type { BracketChange } from "./bracketChange.ts";
import type { OpenEnds } from "./openEnds.ts";
import { holdsRun, isFilled, repeats } from "./repeatedLines.ts";
import type { ChangedWord } from "./typoFinder.ts";
import { leavesBlock, otherIndent, strayBlank } from "./whitespaceRules.ts";

/** One reason to warn of a block. */
export interface Rule<Facts> {
  /** Unique among all rules. */
  readonly name: string;
  /** When it warns, as the contract says it. */
  readonly says: string;
  /** A folder of `test/fixtures/edits` in which it warns. */
  readonly fixture?: string;
  readonly find: (facts: Facts) => BlockWarning | null;
}

/** The warnings that rules give: of each code the first. */
export function warningsBy<Facts>(
  rules: readonly Rule<Facts>[],
  facts: Facts,
): readonly BlockWarning[] {
  const found = new Map<BlockWarning["code"], BlockWarning>();
  for (const { find } of rules) {
    const warning = find(facts);
    if (warning && !found.has(warning.code)) found.set(warning.code, warning);
  }
  return [...found.values()];
}

/** A rule for lines that may be the wrong ones; it counts where checks leave that end open outside. */
function lineRule(
  name: string,
  says: string,
  end: "first" | "last",
  applies: (block: PlacedBody, neighbors: Neighbors) => boolean,
): Rule<OpenEnds> {
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
export const LINE_RULES: readonly Rule<OpenEnds>[] = [
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

/** Files of languages in which a value leaves a function by such a line alone. */
const RETURNS = /\.(?:py|java|[cm]?[jt]sx?|go|c|cc|cpp|cxx|h|hpp|cs|php|dart)$/i;
const RETURN = /^\s*(?:return|raise|throw)\s*[^\s;]/;
const LEAVES = /\b(?:return|raise|throw|break|continue|yield|goto|panic|fatal|exit|fail|assert)/i;

/** The only replaced line, where it leaves its block and the body goes on there; else null. */
function lostReturn({ body, old, path }: PlacedBody, { textsBelow }: Neighbors): string | null {
  const [last = "", ...others] = old.filter(isFilled);
  const written = body.filter(isFilled);
  if (!RETURNS.test(path) || others.length > 0 || !RETURN.test(last) || written.length === 0)
    return null;
  const widthOf = (line: string) => indentOf(line).length;
  const width = widthOf(last);
  const [below = ""] = textsBelow;
  const isEnd = below === "" || widthOf(below) < width;
  const leaves = (line: string) => widthOf(line) <= width && LEAVES.test(line);
  return isEnd && widthOf(written[0] ?? "") >= width && !written.some(leaves) ? last.trim() : null;
}

/** A rule for white space that is likely a slip but cannot be fixed for certain. */
function whitespaceRule(
  name: string,
  says: string,
  find: (block: PlacedBody) => string | undefined,
): Rule<PlacedBody> {
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
export const WHITESPACE_RULES: readonly Rule<PlacedBody>[] = [
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

/** Rules for text that is lost; a deletion that was asked for is none. */
export const LENGTH_RULES: readonly Rule<PlacedBody>[] = [
  {
    name: "short file",
    says: "A whole file has less than half of its lines left.",
    fixture: "file-shorter-typescript",
    find({ op, body, old }) {
      const [removed, written] = [old.filter(isFilled).length, body.filter(isFilled).length];
      return op === "complete" && removed >= 8 && written * 2 < removed
        ? { code: "deletion", removed, written }
        : null;
    },
  },
];

/** A block among the others of its message, once all are in. */
export interface AmongOthers {
  readonly block: Block<"captured">;
  readonly effect: WholeEffect;
  /** Blocks that break the lines of Python, or a text that is JSON. */
  readonly textErrors: ReadonlySet<string>;
  /** What a block that names lines does to brackets. */
  readonly change: BracketChange | null;
  leavesBracket(change: BracketChange): boolean;
  /** Finds a typo in a body, given the text before and after all blocks. */
  typoIn(placed: PlacedBody): ChangedWord | null;
  /** True where the model says a name elsewhere. */
  isNamed(name: string): boolean;
}

/** True where checks do not prove both ends of a block's lines. */
function isUncertain({ placed: { proven, old } }: Block<"captured">): boolean {
  return !(proven && isProven(proven.first) && (isProven(proven.last) || old.length <= 1));
}

/** Rules for a block once all are in. */
export const WHOLE_RULES: readonly Rule<AmongOthers>[] = [
  {
    name: "syntax error",
    says: "The block adds a syntax error to a file that had none.",
    find: ({ block, effect }) =>
      effect.addsSyntaxError.has(block.blockId) ? { code: "syntax" } : null,
  },
  {
    name: "Python's lines, and JSON by any name",
    says: "Python's tokenizer, or `JSON.parse` as far as the file kept to it, finds more errors.",
    fixture: "comma-lost-in-json5",
    find: ({ block, textErrors }) => (textErrors.has(block.blockId) ? { code: "syntax" } : null),
  },
  {
    name: "loses an element's head",
    says: "It replaces an element's first line without its end, and begins no other in its place.",
    find({ block, effect }) {
      const path = isUncertain(block) ? effect.cuts.get(block.blockId) : undefined;
      return path === undefined ? null : { code: "cuts-element", path };
    },
  },
  {
    name: "bracket without its other end",
    says: "Its lines cut a pair that nothing restores, where no grammar finds the file sound.",
    find({ block, effect, change, leavesBracket }) {
      const isCut = isUncertain(block) && effect.cuts.has(block.blockId);
      return !isCut && change && leavesBracket(change) ? { code: "cuts-brackets" } : null;
    },
  },
  {
    name: "element twice",
    says: "What it writes is an element that now stands a second time beside one of its name.",
    fixture: "append-again-python",
    find({ block, effect }) {
      const path = effect.doubles?.get(block.blockId);
      return path === undefined ? null : { code: "doubles-element", path };
    },
  },
  {
    name: "element gone",
    says: "The name of the element that it replaced is gone, and no new one of its kind stands there.",
    find({ block, effect }) {
      const path = effect.gone?.get(block.blockId);
      return path === undefined ? null : { code: "loses-element", path };
    },
  },
  {
    name: "members gone",
    says: "Members that it replaced are nowhere in the file, and the answer does not name them.",
    fixture: "members-lost-python",
    find({ block: { blockId, placed }, effect, isNamed }) {
      const loss = effect.losses?.get(blockId);
      const names = loss?.names.filter((name) => !isNamed(name)) ?? [];
      const path = loss?.path || placed.path;
      return names.length > 0 ? { code: "loses-members", path, names } : null;
    },
  },
  {
    name: "typo",
    says: "A line copied from the file has one letter changed in a word that is nowhere else.",
    find({ block, typoIn }) {
      const typo = typoIn(block.placed);
      return typo && { code: "typo", ...typo };
    },
  },
];
