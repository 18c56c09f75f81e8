import type { BlockWarning } from "../../ports/review.ts";
import type { EditOp } from "../drafts/draft.ts";
import { indentOf } from "../text/indent.ts";
import { isProven, type OpenSides, type ProvenEnds } from "../text/lineChecks.ts";
import { balance } from "./bracketChange.ts";
import { endsBeforeLast, fitsBeside, isMoreAlike, takesUp, wordsOf } from "./lineLikeness.ts";

/** A block that names lines, and what stands there. */
export interface LineBlock {
  readonly op: EditOp;
  readonly body: readonly string[];
  readonly old: readonly string[];
  /** The lines just outside, "" at the file's ends. */
  readonly above: string;
  readonly below: string;
  /** The nearest two lines with text on each side, nearest first. */
  readonly textsAbove: readonly string[];
  readonly textsBelow: readonly string[];
  /** Which ends are proven by a check that fits no line beside them. */
  readonly proven: ProvenEnds;
}

/** What speaks for other lines than those the block names; it counts where checks leave that end open to that side. */
interface LineRule {
  readonly end: "first" | "last";
  /** Where the end may be instead; left out for both sides. */
  readonly side?: keyof OpenSides;
  /** True where it only goes by likeness, so that it says nothing against a certain reading. */
  readonly byLikeness?: boolean;
  applies(block: LineBlock): boolean;
}

/**
 * Exact rules first. The numbers are true alarms of edits that models wrote, and false ones; and of commits with wrong line numbers, those
 * that nothing else tells.
 */
const RULES: readonly LineRule[] = [
  // The body begins, or ends, with the nearest line of text outside.
  {
    end: "first",
    side: "outside",
    applies: ({ body, old, textsAbove }) => repeats(body.find(isFilled), textsAbove[0], old.find(isFilled)),
  },
  {
    end: "last",
    side: "outside",
    applies: ({ body, old, textsBelow }) => repeats(body.findLast(isFilled), textsBelow[0], old.findLast(isFilled)),
  },
  // It begins with the condition that it stands in.
  { end: "first", side: "outside", applies: ({ body, textsAbove }) => repeatsCondition(body.find(isFilled), textsAbove[0]) },
  // It holds that line, or that and the next, anywhere.
  {
    end: "first",
    side: "outside",
    applies: (block) => holds(block, block.textsAbove.slice(0, 1)) || holds(block, block.textsAbove.toReversed()),
  },
  { end: "last", side: "outside", applies: (block) => holds(block, block.textsBelow.slice(0, 1)) || holds(block, block.textsBelow) },
  { end: "first", applies: ({ body, old, above, below }) => old.length === 0 && breaksUp(body, above, below) },
  { end: "first", applies: ({ body, old, above, below }) => isTooDeep(body[0] ?? "", above) && !isTooDeep(old[0] ?? below, above) },
  { end: "last", applies: ({ body, old, above, below }) => isTooDeep(below, body.at(-1) ?? "") && !isTooDeep(below, old.at(-1) ?? above) },
  {
    end: "last",
    side: "inside",
    byLikeness: true,
    applies: ({ body, old }) => old.length > 1 && standsLike(body.at(-1) ?? "", old.at(-2) ?? "", old.at(-1) ?? ""),
  },
  { end: "last", side: "inside", byLikeness: true, applies: ({ body, old }) => old.length > 1 && endsElsewhere(body, old) },
  { end: "last", side: "inside", byLikeness: true, applies: ({ body, old }) => old.length > 1 && endsBeforeLast(body, old) },
  { end: "last", byLikeness: true, applies: ({ body, old, above, below }) => old.length > 0 && fitsBeside(body, old, above, below) },
  {
    end: "last",
    side: "outside",
    byLikeness: true,
    applies: ({ body, old, below }) => old.length > 0 && isMoreAlike(body.at(-1) ?? "", below, old),
  },
  { end: "last", side: "outside", byLikeness: true, applies: ({ body, old, below }) => old.length > 0 && takesUp(body, below, old) },
];

/**
 * The warning for a body that fits the lines beside an end better than those at the end itself, where no check proves that end; or
 * whose checks leave an end open, since they are for the first line only or also fit the line beside.
 */
export function lineWarnings(block: LineBlock): readonly BlockWarning[] {
  const { body, old, proven } = block;
  const isAnchored = isProven(proven.first) || fitsOnlyAnchor(block);
  const isClosed = (old.length === 0 && isAnchored) || (old.length === 1 && body.length === 1 && isProven(proven.first));
  const certain = proven.checked && isCertain(block);
  // A check of the last of several lines; one line may have been meant as the first of more.
  const outweighsLikeness = certain && old.length > 1 && !(proven.last.outside && proven.last.inside);
  const isOpen = ({ end, side, byLikeness }: LineRule) => {
    if (byLikeness && outweighsLikeness) return false;
    if (end === "last" ? isClosed : old.length === 0 && isAnchored) return false;
    return side ? proven[end][side] : !isProven(proven[end]);
  };
  const rule = body.length === 0 ? undefined : RULES.find((each) => isOpen(each) && each.applies(block));
  if (rule) return [{ code: "repeats-line", line: ((rule.end === "first" ? body[0] : body.at(-1)) ?? "").trim() }];
  return proven.checked && !certain ? [{ code: "unchecked-end" }] : [];
}

/** True where a line repeats one outside the range, and the line it replaces does not. */
function repeats(line: string | undefined, outside: string | undefined, replaced: string | undefined): boolean {
  return line !== undefined && outside !== undefined && same(line, outside) && !same(line, replaced ?? "");
}

const CONDITION = /^\s*(?:if|unless|while|for|foreach|switch|match|case)\b.*\w.*[:{]\s*$/;

/** True for a line that begins a block on the very condition of the block that it is right at the beginning of. */
function repeatsCondition(line = "", outside = ""): boolean {
  return CONDITION.test(line) && line.trim() === outside.trim() && isDeeper(line, outside);
}

/** True where a body has some lines one after the other that the range does not have; they need words to tell them from others. */
function holds({ body, old }: LineBlock, lines: readonly string[]): boolean {
  if (lines.length === 0 || wordsOf(lines.join(" ")).length < 2) return false;
  const within = (texts: readonly string[]) => {
    const filled = texts.filter(isFilled);
    return filled.some((_, at) => lines.every((line, index) => same(filled[at + index] ?? "", line)));
  };
  return within(body) && !within(old);
}

/** True where a line has the indent of another, and not that of the line it replaces, which it does not take up. */
function standsLike(line: string, other: string, replaced: string): boolean {
  if (isBlank(line) || isBlank(other) || isBlank(replaced)) return false;
  const indent = indentOf(line);
  return indent === indentOf(other) && indent !== indentOf(replaced) && !line.trimEnd().endsWith(replaced.trim());
}

const ENDED = /[;}]$|[}\])],$|^\s*[)\]}]+[;,]?$/;
/** Comments and directives, which stand anywhere, and lines that go on with the one above. */
const FREE = /^\s*(?:[.#?:&|+*<]|\/\/|\/\*|--)/;
/** Lines that may follow the beginning of a block and still end it. */
const BRANCH = /^\s*(?:[#)\]}<]|(?:else|elif|end|case|default|except|rescue|catch|finally)\b)/;
/** Lines that only close brackets. */
const CLOSERS = /^\s*[)\]}][\s)\]};,]*$/;

/** True where a line is deeper than the one above it, which ends a statement or a block. */
function isTooDeep(line: string, above: string): boolean {
  if (isBlank(line) || isBlank(above) || FREE.test(line) || FREE.test(above) || !ENDED.test(above.trimEnd())) return false;
  return isDeeper(line, above);
}

function isDeeper(line: string, other: string): boolean {
  return indentOf(line).length > indentOf(other).length && indentOf(line).startsWith(indentOf(other));
}

/** True for inserted lines that come between the beginning of a block and its lines, or beside a blank line with one of their own. */
function breaksUp(body: readonly string[], above: string, below: string): boolean {
  const [startsBlank, endsBlank] = [isBlank(body[0] ?? ""), isBlank(body.at(-1) ?? "")];
  if (startsBlank !== endsBlank && isBlank(startsBlank ? above : below)) return true;
  const first = body.find(isFilled);
  if (first === undefined || isBlank(above) || isBlank(below)) return false;
  return isDeeper(below, above) && !isDeeper(first, above) && !BRANCH.test(first);
}

/** True where the last line is blank and the body's is not, or the reverse after a blank one. */
function endsElsewhere(body: readonly string[], old: readonly string[]): boolean {
  const last = body.at(-1) ?? "";
  return isBlank(old.at(-1) ?? "") ? !isBlank(last) : isBlank(last) && isBlank(old.at(-2) ?? "");
}

/**
 * True where checks that also fit the lines beside leave only one reading: brackets stay in balance, a block ends where it began, or the
 * body's indent goes with one of the lines alone. Which one of several blank lines it is only changes how many there are.
 */
function isCertain(block: LineBlock): boolean {
  const { op, body, old, proven, above, below } = block;
  if (old.length === 0)
    return isProven(proven.first) || fitsOnlyAnchor(block) || (isBlank(op === "after" ? above : below) && body.some(isFilled));
  const [first, last] = [old[0] ?? "", old.at(-1) ?? ""];
  if (body.length > 0 && body.every(isBlank) && old.every(isBlank)) return true;
  if (body.length === 0 && old.every(isBlank) && (old.length === 1 || !(isBlank(above) || isBlank(below)))) return true;
  // All lines that the checks fit, and no line beside them.
  if (old.every((line) => same(line, first)) && body.length > 0 && !proven.first.outside && !proven.last.outside) return true;
  const isSpacing = (line: string) => isBlank(line) && body.some(isFilled);
  const [before, after] = [balance(old), balance(body)];
  const keepsBalance = before.every((count) => count === 0) || before.every((count, kind) => count === after[kind]);
  const closes = (line: string) => CLOSERS.test(line) && keepsBalance;
  const endsBlock = !isBlank(last) && indentOf(first) === indentOf(last) && indentOf(below) !== indentOf(last);
  const isFirst = isProven(proven.first) || isSpacing(first) || closes(first);
  return isFirst && (isProven(proven.last) || old.length === 1 || isSpacing(last) || closes(last) || endsBlock);
}

/** True where inserted lines can follow their anchor, by its indent, but not the line after it, which the check fits too. */
function fitsOnlyAnchor({ op, body, above, below, proven }: LineBlock): boolean {
  const first = body.find(isFilled);
  if (!proven.checked || op !== "after" || first === undefined || isBlank(above)) return false;
  const follows = (line: string) => (/^\s*[)\]}]/.test(first) ? isDeeper(line, first) : indentOf(line) === indentOf(first));
  return follows(above) && !follows(below);
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

function isBlank(line: string): boolean {
  return !isFilled(line);
}

function same(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}
