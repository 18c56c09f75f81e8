import type { BlockWarning } from "../../ports/review.ts";
import { indentOf } from "../text/indent.ts";

/** A block that names lines, and what stands there. */
export interface LineBlock {
  readonly body: readonly string[];
  readonly old: readonly string[];
  readonly above: string | null;
  readonly below: string | null;
  /** Which ends are proven by a check that fits no line beside them. */
  readonly proven: ProvenEnds;
}

/** Which ends of a block's lines are certain; `checked` where it has any check. */
export interface ProvenEnds {
  readonly checked: boolean;
  readonly first: boolean;
  readonly last: boolean;
}

/** How alike a line and one outside the range are, and how much less alike the lines of the range, for a slip to be likely. */
const ALIKE = 0.6;
const MARGIN = 0.2;

/**
 * The warning for a body that fits the line beside an end better than the end itself, where no check proves that end; or whose checks
 * leave an end open, since they are for the first line only or also fit the line beside.
 */
export function lineWarnings({ body, old, above, below, proven }: LineBlock): readonly BlockWarning[] {
  const [first, last] = [body[0], body.at(-1)];
  const [oldFirst, oldLast] = [old[0], old.at(-1)];
  const one = body.length === 1 && old.length === 1;
  const repeated = (line: string | undefined, outside: string | null, replaced: string | undefined) =>
    line !== undefined && outside !== null && line.trim() !== "" && same(line, outside) && !same(line, replaced ?? "");
  const fits = (line: string | undefined, outside: string | null) =>
    line !== undefined && outside !== null && old.length > 0 && isMoreAlike(line, outside, old);
  const isBefore =
    !proven.first &&
    (repeated(first, above, oldFirst) || fits(first, above) || (one && fits(first, below)) || standsLike(first, above, oldFirst));
  if (isBefore) return [{ code: "repeats-line", line: first?.trim() ?? "" }];
  const lastIsProven = proven.last || (one && proven.first);
  const isTooLong = old.length > 1 && last !== undefined && (standsLike(last, old.at(-2), oldLast) || (isBlank(oldLast) && !isBlank(last)));
  if (!lastIsProven && (repeated(last, below, oldLast) || fits(last, below) || isTooLong))
    return [{ code: "repeats-line", line: last?.trim() ?? "" }];
  // Brackets that close what the lines open end there, and which of several blank lines goes is the same.
  const closes = /^[\s)\]};,]+$/.test(oldLast ?? "") && balance(old).every((count) => count === 0);
  const isProven = (proven.first && (proven.last || closes || old.length <= 1)) || (body.length === 0 && old.every(isBlank));
  return proven.checked && !isProven ? [{ code: "unchecked-end" }] : [];
}

/** True where a line has the indent of another, and not that of the line it replaces. */
function standsLike(line: string | undefined, other: string | null | undefined, replaced: string | undefined): boolean {
  if (isBlank(line) || isBlank(other) || isBlank(replaced)) return false;
  const indent = indentOf(line ?? "");
  return indent === indentOf(other ?? "") && indent !== indentOf(replaced ?? "");
}

function isBlank(line: string | null | undefined): boolean {
  return line == null || line.trim() === "";
}

/** True where a line is like another, and clearly less like each of those it replaces. */
function isMoreAlike(line: string, other: string, old: readonly string[]): boolean {
  const tokens = tokensOf(line);
  const likeness = dice(tokens, tokensOf(other));
  return likeness >= ALIKE && old.every((each) => dice(tokens, tokensOf(each)) <= likeness - MARGIN);
}

function tokensOf(line: string): readonly string[] {
  return line.match(/[A-Za-z_]\w*|\d+|[^\s\w]/g) ?? [];
}

/** Sørensen–Dice coefficient of two lists of tokens, 0 to 1. */
function dice(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const token of a) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of b) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    common++;
  }
  return (2 * common) / (a.length + b.length);
}

/** How a body changes the brackets of the lines it replaces. */
export interface BracketChange {
  /** How many more opening than closing brackets of each kind the body has than those lines: round, square, curly. */
  readonly surplus: readonly [number, number, number];
  /** True where the replaced lines hold only one of a pair. */
  readonly cutsPair: boolean;
}

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|csv|tsv|log)$/i;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The change of brackets, apart from those in strings on one line; none in prose. */
export function bracketChange(body: readonly string[], old: readonly string[], path: string): BracketChange {
  if (PROSE.test(path)) return { surplus: [0, 0, 0], cutsPair: false };
  const [a, b, c] = balance(body);
  const [x, y, z] = balance(old);
  return { surplus: [a - x, b - y, c - z], cutsPair: x !== 0 || y !== 0 || z !== 0 };
}

/** The blocks whose lines cut a pair that neither their body nor another block restores. */
export function leavesBracket(changes: readonly BracketChange[]): (change: BracketChange) => boolean {
  const restored = [0, 1, 2].every((kind) => changes.reduce((sum, { surplus }) => sum + (surplus[kind] ?? 0), 0) === 0);
  return ({ surplus, cutsPair }) => !restored && cutsPair && surplus.some((count) => count !== 0);
}

function balance(lines: readonly string[]): readonly [number, number, number] {
  let [round, square, curly] = [0, 0, 0];
  for (const line of lines) {
    for (const character of line.replace(STRINGS, "")) {
      if (character === "(") round++;
      else if (character === ")") round--;
      else if (character === "[") square++;
      else if (character === "]") square--;
      else if (character === "{") curly++;
      else if (character === "}") curly--;
    }
  }
  return [round, square, curly];
}

function same(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}
