import { lineStart, skipSpaceBack } from "../../base/text/scan.ts";
import type { SyntaxElement } from "../../syntax/syntax.ts";
import { HOLDS_STATEMENTS } from "./kinds.ts";

/** An operation that inserts. */
export type InsertingOp = "before" | "after" | "append" | "prepend";

/** What stands before a member, as it may before each. */
const ATTRIBUTE = /^(?:@(?!interface\b)\w|#!?\[|\[[^\]]*\]$|\/\/|\/\*|\*|#)/;

/** The body of members without a first line that only separates them from the one before. */
export function withoutSeparatorLine(op: InsertingOp, body: readonly string[]): readonly string[] {
  const first = body.findIndex((line) => line.trim() !== "");
  const isSeparator = (op === "append" || op === "after") && body[first]?.trim() === ",";
  return isSeparator ? body.slice(first + 1) : body;
}

/** The first of inserted lines that are all there already, inside or right beside; else null. */
export function repeatedLine(
  text: string,
  element: SyntaxElement,
  op: InsertingOp,
  body: readonly string[],
): string | null {
  const own = filled(body);
  if (!own.some((line) => /\w{2}/.test(line))) return null;
  const { inner } = element.body ?? { inner: null };
  const isInside = op === "append" || op === "prepend";
  const around = isInside
    ? inner
      ? text.slice(inner.start, inner.end)
      : ""
    : op === "after"
      ? text.slice(element.range.end)
      : text.slice(0, element.commentStart);
  const there = filled(around.split(/\r\n|\n|\r/));
  const fits = (from: number) =>
    from >= 0 &&
    own.every((line, index) => withoutSeparator(there[from + index]) === withoutSeparator(line));
  const atEnd = op === "append" || op === "before";
  if (fits(atEnd ? there.length - own.length : 0)) return own[0] ?? null;
  const isMembers = isInside && !HOLDS_STATEMENTS.has(element.kind) && element.path !== "@file";
  const edge = isMembers ? repeatedEdge(own, there, atEnd) : null;
  if (edge !== null) return edge;
  const mayRepeat =
    !isInside ||
    own.every((line) => ATTRIBUTE.test(line)) ||
    HOLDS_STATEMENTS.has(element.kind) ||
    element.path === "@file";
  return !mayRepeat && there.some((_, index) => fits(index)) ? (own[0] ?? null) : null;
}

/** The first line of a body that repeats the lines right above its element; else null. */
export function repeatedAbove(
  text: string,
  { commentStart }: SyntaxElement,
  body: readonly string[],
): string | null {
  const own = filled(body);
  const end = skipSpaceBack(text, commentStart);
  const last = text.slice(lineStart(text, end), end).trim();
  if (!/\w.*\w/.test(last) || own.indexOf(last) < 0) return null;
  const above = filled(text.slice(0, end).split(/\r\n|\n|\r/));
  for (let count = 1; count < own.length && count <= above.length; count++) {
    const isSame =
      own[count - 1] === last && above.slice(-count).every((line, index) => line === own[index]);
    if (isSame) return own[0] ?? null;
  }
  return null;
}

/** The member at the edge of others that inserted ones begin with, or end with before them. */
function repeatedEdge(
  own: readonly string[],
  there: readonly string[],
  atEnd: boolean,
): string | null {
  const [inner, outer] = atEnd ? [own[0], there.at(-1)] : [own.at(-1), there[0]];
  const isMember = inner !== undefined && /\w{2}/.test(inner) && !ATTRIBUTE.test(inner);
  return isMember && withoutSeparator(inner) === withoutSeparator(outer) ? inner : null;
}

function filled(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

function withoutSeparator(line: string | undefined): string | undefined {
  return line?.replace(/[,;]$/, "");
}
