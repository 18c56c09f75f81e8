import type { BlockWarning } from "../../ports/review.ts";
import { indentOf } from "../text/indent.ts";
import type { ProvenEnds } from "../text/lineChecks.ts";

/** A block that names lines, and what stands there. */
export interface LineBlock {
  readonly body: readonly string[];
  readonly old: readonly string[];
  readonly above: string | null;
  readonly below: string | null;
  /** Which ends are proven by a check that fits no line beside them. */
  readonly proven: ProvenEnds;
}

/** How alike a line and one outside the range are, and how much less alike the lines of the range, for a slip to be likely. */
const ALIKE = 0.4;
const MARGIN = 0.2;
/** The same for any line of the body and one outside. */
const TAKEN_UP = 0.7;
const TAKEN_UP_MARGIN = 0.3;
/** The same for the end of a body and the line before the last: of the last one it has nothing that is alike. */
const END_ALIKE = 0.5;
const END_MARGIN = 0.3;

/**
 * The warning for a body that fits the lines beside an end better than those at the end itself, where no check proves that end; or
 * whose checks leave an end open, since they are for the first line only or also fit the line beside.
 */
export function lineWarnings({ body, old, above, below, proven }: LineBlock): readonly BlockWarning[] {
  const [first, last] = [body[0], body.at(-1)];
  const [oldFirst, oldLast] = [old[0], old.at(-1)];
  const one = body.length === 1 && old.length === 1;
  const repeated = (line: string | undefined, outside: string | null, replaced: string | undefined) =>
    line !== undefined && outside !== null && line.trim() !== "" && same(line, outside) && !same(line, replaced ?? "");
  const fits = (line: string | undefined, outside: string | null) =>
    line !== undefined && outside !== null && old.length > 0 && (isMoreAlike(line, outside, old) || takesUp(body, outside, old));
  const lastIsProven = proven.last || (one && proven.first);
  const isShifted = !lastIsProven && (old.length === 0 ? breaksUp(body, above, below) : fitsBeside(body, old, above, below));
  const isBefore =
    !proven.first &&
    (repeated(first, above, oldFirst) ||
      fits(first, above) ||
      isShifted ||
      standsLike(first, above, oldFirst) ||
      (isTooDeep(first ?? below, above) && !isTooDeep(oldFirst ?? below, above)));
  if (isBefore) return [{ code: "repeats-line", line: (first ?? oldFirst ?? "").trim() }];
  const isTooLong =
    last === undefined
      ? leavesRest(old, above, below)
      : (isTooDeep(below, last) && !isTooDeep(below, oldLast ?? above)) ||
        (old.length > 1 && (standsLike(last, old.at(-2), oldLast) || endsElsewhere(last, old) || isOneMore(body, old)));
  if (!lastIsProven && (repeated(last, below, oldLast) || fits(last, below) || isTooLong))
    return [{ code: "repeats-line", line: (last ?? oldLast ?? "").trim() }];
  // Brackets that close what the lines open end there, and which one of several blank lines goes is the same.
  const closes = /^[\s)\]};,]+$/.test(oldLast ?? "") && balance(old).every((count) => count === 0);
  const isProven =
    (proven.first && (proven.last || closes || old.length <= 1)) ||
    (body.length === 0 && old.every(isBlank) && (old.length === 1 || !(isBlank(above) || isBlank(below))));
  return proven.checked && !isProven ? [{ code: "unchecked-end" }] : [];
}
/** True where a line of the body is much like one outside the range, and no line of the range is. */
function takesUp(body: readonly string[], outside: string, old: readonly string[]): boolean {
  const words = wordsOf(outside);
  if (words.length < 2) return false;
  const likeness = (lines: readonly string[]) => Math.max(...lines.map((line) => dice(wordsOf(line), words)));
  const most = likeness(body);
  return most >= TAKEN_UP && likeness(old) < most - TAKEN_UP_MARGIN;
}

/** True where a line has the indent of another, and not that of the line it replaces, which it does not take up. */
function standsLike(line: string | undefined, other: string | null | undefined, replaced: string | undefined): boolean {
  if (line == null || other == null || replaced == null || isBlank(line) || isBlank(other) || isBlank(replaced)) return false;
  const indent = indentOf(line);
  return indent === indentOf(other) && indent !== indentOf(replaced) && !line.trimEnd().endsWith(replaced.trim());
}

const ENDED = /[;}]$|[}\])],$|^\s*[)\]}]+[;,]?$/;
/** Comments and directives, which stand anywhere, and lines that go on with the one above. */
const FREE = /^\s*(?:[.#?:&|+*<]|\/\/|\/\*|--)/;
/** Lines that may follow the beginning of a block and still end it. */
const BRANCH = /^\s*(?:[#)\]}<]|(?:else|elif|end|case|default|except|rescue|catch|finally)\b)/;

/** True where a line is deeper than the one above it, which ends a statement or a block. */
function isTooDeep(line: string | null | undefined, above: string | null | undefined): boolean {
  if (line == null || above == null || isBlank(line) || FREE.test(line) || FREE.test(above) || !ENDED.test(above.trimEnd())) return false;
  return isDeeper(line, above);
}

function isDeeper(line: string, other: string): boolean {
  return indentOf(line).length > indentOf(other).length && indentOf(line).startsWith(indentOf(other));
}

/** True for inserted lines that come between the beginning of a block and its lines, or beside a blank line with one of their own. */
function breaksUp(body: readonly string[], above: string | null, below: string | null): boolean {
  const [startsBlank, endsBlank] = [isBlank(body[0]), isBlank(body.at(-1))];
  const beside = startsBlank ? above : below;
  if (startsBlank !== endsBlank && beside !== null && isBlank(beside)) return true;
  const first = body.find((line) => !isBlank(line));
  if (first === undefined || above === null || below === null || isBlank(above) || isBlank(below)) return false;
  return isDeeper(below, above) && !isDeeper(first, above) && !BRANCH.test(first);
}

/** True where a deletion takes the beginning of a block whose lines stay, or lines between blank ones without a blank one. */
function leavesRest(old: readonly string[], above: string | null, below: string | null): boolean {
  const [first, last] = [old[0] ?? "", old.at(-1) ?? ""];
  if (above === null || below === null || isBlank(first) || isBlank(last)) return false;
  if (isBlank(below)) return isBlank(above);
  const isUnderAbove = !isBlank(above) && (!isDeeper(below, above) || /[{([:,]$/.test(above.trimEnd()));
  return isDeeper(below, first) && !isDeeper(last, below) && !isUnderAbove;
}

/** True where a body of as many lines as it replaces is clearly more like those a line above or below. */
function fitsBeside(body: readonly string[], old: readonly string[], above: string | null, below: string | null): boolean {
  if (body.length !== old.length) return false;
  const likeness = (lines: readonly (string | null)[]) =>
    lines.reduce((sum, line, at) => sum + (line === null ? 0 : dice(wordsOf(body[at] ?? ""), wordsOf(line))), 0) / body.length;
  const own = likeness(old);
  const isBetter = (other: number) => other >= ALIKE && other - own >= MARGIN;
  return isBetter(likeness([above, ...old.slice(0, -1)])) || isBetter(likeness([...old.slice(1), below]));
}

/** True where the last line is blank and the body's is not, or the reverse after a blank one. */
function endsElsewhere(last: string, old: readonly string[]): boolean {
  return isBlank(old.at(-1)) ? !isBlank(last) : isBlank(last) && isBlank(old.at(-2));
}

/** True where a body ends as the line before the last does, and has nothing of the last one. */
function isOneMore(body: readonly string[], old: readonly string[]): boolean {
  const end = wordsOf(body.at(-1) ?? "");
  const last = wordsOf(old.at(-1) ?? "");
  if (end.length === 0 || last.length === 0) return false;
  const likeness = dice(end, wordsOf(old.at(-2) ?? ""));
  const isClear = likeness >= END_ALIKE && likeness - dice(end, last) >= END_MARGIN;
  return isClear && body.every((line) => dice(wordsOf(line), last) < END_ALIKE);
}

function isBlank(line: string | null | undefined): boolean {
  return line == null || line.trim() === "";
}

/** True where a line is like another, and clearly less like each of those it replaces. */
function isMoreAlike(line: string, other: string, old: readonly string[]): boolean {
  const words = wordsOf(line);
  const likeness = dice(words, wordsOf(other));
  return likeness >= ALIKE && old.every((each) => dice(words, wordsOf(each)) <= likeness - MARGIN);
}

/** The words of a line. Signs and numbers are alike in most lines. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[A-Za-z_]{2,}/g) ?? [];
}

/** Sørensen–Dice coefficient of two lists of words, 0 to 1. */
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
