import { isBalanced } from "../../base/text/scan.ts";
import { indentOf, shiftIndent } from "../text/indent.ts";

/** A body at its target's indent. */
export interface FittedBody {
  readonly lines: readonly string[];
  /** Where its first lines and the others had different margins, each moved by its own shift. */
  readonly parts: Parts | null;
  /** A line whose indent may be meant in two ways; null for none. */
  readonly doubtful: string | null;
}

/** The last of the first lines, by index, and the margin of the others. */
interface Parts {
  readonly last: number;
  readonly margin: string;
}

/** Begins the last line of a block, which stands below its first one. */
const CLOSES = /^\s*(?:[)\]}]|<\/|(?:end|fi|done|esac)\b)/;
const COMMENT = /^\s*(?:#(?!!?\[)|\/\/|\/\*|\*|--|<!--|;)/;
const ATTRIBUTE = /^\s*(?:@(?!interface\b)\w|#!?\[|\[[^\]]*\]\s*$)/;
/** Ends a line whose block follows, apart from a comment. */
const OPENS = /(?:[:({[=]|->|=>|\b(?:do|then))\s*(?:(?:#|\/\/).*)?$/;
/** Begins a line that goes on with the one above. */
const GOES_ON = /^\s*(?:[.?:&|+=]|and\b|or\b)/;
const STRINGS = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g;

/**
 * Moves a body to the indent of its target. All lines are shifted alike, unless the first ones and
 * the others surely have different margins: the line that closes the body, or its first inner line,
 * shows where the others begin. `old` are the lines it replaces, `unit` gives one level of indent.
 */
export function fitIndent(
  lines: readonly string[],
  target: string,
  old: readonly string[],
  unit: () => string,
): FittedBody {
  const plain: FittedBody = { lines: shiftIndent(lines, target), parts: null, doubtful: null };
  const head = headOf(lines);
  const first = indentOf(lines[head.start] ?? "");
  if (head.next < 0) return plain;
  const base = marginOf(lines, head, target, old, unit);
  const shortOf = (line: string) => line.trim() !== "" && indentOf(line).length < target.length;
  const hasShort = lines.slice(head.start, head.last + 1).some(shortOf);
  // A closing line nearer to the margin than the declaration is of another margin, whatever else it
  // closes.
  const close = lines.findLast((line) => line.trim() !== "") ?? "";
  const isAsBefore = first === target && close === old.findLast((line) => line.trim() !== "");
  if (base === null && !isAsBefore && CLOSES.test(close) && indentOf(close).length < first.length)
    return { ...plain, doubtful: close };
  if (base === null || (base === first && !(base === target && hasShort))) return plain;
  if (base !== target && first !== target)
    return {
      ...plain,
      doubtful: isDeep(lines[head.next], target) ? (lines[head.next] ?? null) : null,
    };
  const parts = { last: head.last, margin: base };
  const moved = moveParts(lines, parts, target);
  // The old lines say otherwise.
  const known = new Set(old.filter((line) => /\w/.test(line)));
  const agree = (fitted: readonly string[]) =>
    fitted.filter((line, index) => index > head.last && known.has(line)).length;
  if (agree(moved) < agree(plain.lines)) return { ...plain, doubtful: lines[head.start] ?? null };
  return { lines: moved, parts, doubtful: null };
}

/** Moves the first lines to the target, and the others there from their own margin. */
function moveParts(lines: readonly string[], { last, margin }: Parts, target: string): string[] {
  const isShort = (line: string) => line.trim() !== "" && indentOf(line).length < target.length;
  const least = Math.min(
    ...lines.slice(0, last + 1).flatMap((line) => (isShort(line) ? [indentOf(line).length] : [])),
  );
  return lines.map((line, index) => {
    if (line.trim() === "") return line;
    if (index <= last) return isShort(line) ? target + line.slice(least) : line;
    return line.startsWith(margin) ? target + line.slice(margin.length) : line;
  });
}

/**
 * The same for a body that is being written, with all of its lines so far: these are shifted alike
 * until they show another margin for certain, by what closes the declaration's brackets or by an
 * indented block's first line.
 */
export function growingIndent(
  target: string,
  old: readonly string[],
  unit: () => string,
): (lines: readonly string[]) => readonly string[] {
  let known: Parts | null = null;
  return (lines) => {
    if (showsMargin(lines, old)) {
      const fitted = fitIndent(lines, target, old, unit);
      known = fitted.parts;
      return fitted.lines;
    }
    return known ? moveParts(lines, known, target) : shiftIndent(lines, target);
  };
}

/** True where a body's lines so far show the margin of those after the first for certain. */
function showsMargin(lines: readonly string[], old: readonly string[]): boolean {
  const head = headOf(lines);
  const last = lines.at(-1) ?? "";
  if (head.next < 0 || last.trim() === "" || !isClosed(lines)) return false;
  if (/^\s*[)\]}]/.test(last) && depthOf(lines[head.last] ?? "") > 0) return true;
  const oldClose = old.findLast((line) => line.trim() !== "") ?? "";
  return (
    old.length > 1 &&
    !CLOSES.test(oldClose) &&
    !CLOSES.test(last) &&
    firstInner(lines, head) !== null
  );
}

/** The lines up to the declaration, by index: first, last, and the next with text (-1: none). */
interface HeadLines {
  readonly start: number;
  /** The declaration's first line. */
  readonly last: number;
  readonly next: number;
}

function headOf(lines: readonly string[]): HeadLines {
  const start = lines.findIndex((line) => line.trim() !== "");
  let last = start;
  let depth = 0;
  let isComment = false;
  while (last >= 0 && last < lines.length - 1) {
    const line = lines[last] ?? "";
    const isBefore = isComment || COMMENT.test(line);
    if (line.trim() !== "" && depth === 0 && !isBefore && !ATTRIBUTE.test(line)) break;
    if (isComment || /^\s*\/\*/.test(line)) isComment = !line.includes("*/");
    else if (!isBefore) depth = Math.max(0, depth + depthOf(line));
    last++;
  }
  return {
    start,
    last,
    next: start < 0 ? -1 : lines.findIndex((line, index) => index > last && line.trim() !== ""),
  };
}

function depthOf(line: string): number {
  let depth = 0;
  for (const sign of line.replace(STRINGS, "")) {
    if ("([{".includes(sign)) depth++;
    else if (")]}".includes(sign)) depth--;
  }
  return depth;
}

/** The margin of the lines after the declaration's first one; null where nothing shows it. */
function marginOf(
  lines: readonly string[],
  head: HeadLines,
  target: string,
  old: readonly string[],
  unit: () => string,
): string | null {
  const close = lines.findLast((line) => line.trim() !== "") ?? "";
  const oldClose = old.findLast((line) => line.trim() !== "") ?? "";
  const closes =
    old.length < 2
      ? CLOSES.test(close)
      : CLOSES.test(close) && CLOSES.test(oldClose) && indentOf(oldClose) === target;
  if (closes) {
    const margin = indentOf(close);
    // A closing line beyond the body's own belongs to what is around it.
    if (margin === target && indentOf(lines[head.start] ?? "").length < target.length)
      return margin;
    const isProven =
      old.length > 1 || margin === target || (margin === "" && opens(lines[head.last]));
    const isOwn = isProven && isClosed(lines) && !isRepeatedEnd(lines, close);
    return isOwn ? margin : null;
  }
  if (CLOSES.test(close) !== CLOSES.test(oldClose) && old.length > 1) return null;
  return openMargin(lines, head, target, old, unit);
}

function opens(line = ""): boolean {
  return OPENS.test(line.replace(STRINGS, '""'));
}

function isClosed(lines: readonly string[]): boolean {
  return isBalanced(lines.join("\n").replace(STRINGS, ""), "(){}[]");
}

/** True where a word such as `end` closes the first line before the last line does. */
function isRepeatedEnd(lines: readonly string[], close: string): boolean {
  if (/^\s*[)\]}]/.test(close)) return false;
  const first = indentOf(lines.find((line) => line.trim() !== "") ?? "");
  return lines.some((line) => line !== close && CLOSES.test(line) && indentOf(line) === first);
}

/** The margin of an indented block such as Python's, by its first line or its parameters' end. */
function openMargin(
  lines: readonly string[],
  head: HeadLines,
  target: string,
  old: readonly string[],
  unit: () => string,
): string | null {
  const inner = firstInner(lines, head);
  if (inner === null) return null;
  if (inner.closing !== null) return indentOf(inner.closing);
  const opening = lines[head.last] ?? "";
  const oldHead = headOf(old);
  const oldInner = firstInner(old, oldHead)?.line;
  // The old lines show the step where both begin a block, or neither does.
  const isAlike = oldInner !== undefined && opens(opening) === opens(old[oldHead.last]);
  const oldIndent = isAlike ? indentOf(oldInner) : null;
  const step = oldIndent?.startsWith(target)
    ? oldIndent.slice(target.length)
    : stepAfter(opening, inner.line, unit);
  if (step === null) return null;
  const indent = indentOf(inner.line);
  if (!indent.endsWith(step)) return null;
  const margin = indent.slice(0, indent.length - step.length);
  const first = indentOf(lines[head.start] ?? "");
  // Deeper than the first line it may be meant so, and so may a line that stands beside it.
  if (first === target && margin !== target && (isDeep(inner.line, first) || !opens(opening)))
    return null;
  return first !== target && margin !== target && margin !== first && !isDeep(inner.line, target)
    ? null
    : margin;
}

/** How much deeper the line after a first line stands; null where that is open. */
function stepAfter(first: string, inner: string, unit: () => string): string | null {
  const dash = /^\s*((?:- +)+)/.exec(first)?.[1];
  if (dash !== undefined) return " ".repeat(dash.length);
  if (opens(first) || GOES_ON.test(inner)) return unit();
  return /[,\\]\s*$/.test(first) ? null : "";
}

/** The first line after the declaration, and the one that closes brackets it leaves open. */
function firstInner(
  lines: readonly string[],
  { last, next }: HeadLines,
): { readonly line: string; readonly closing: string | null } | null {
  if (next < 0) return null;
  let depth = depthOf(lines[last] ?? "");
  if (depth <= 0) return { line: lines[next] ?? "", closing: null };
  for (let index = last + 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    depth += depthOf(line);
    if (depth > 0) continue;
    if (/^\s*[)\]}]/.test(line)) return { line, closing: line };
    const after = lines.slice(index + 1).find((other) => other.trim() !== "");
    return after === undefined ? null : { line: after, closing: null };
  }
  return null;
}

function isDeep(line: string | undefined, margin: string): boolean {
  return line !== undefined && indentOf(line).length > margin.length;
}
