import type { FileSymbol } from "../ports/symbolSource.ts";
import { indentAt, skipSpace, skipSpaceBack } from "./surroundings.ts";
import { symbolAttributeStart } from "./symbolAttributes.ts";
import { leadingCommentEnd } from "./symbolComments.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** Where a symbol is as an element. */
export interface PlacedRange {
  readonly range: OffsetRange;
  /** Where it begins without its attributes. */
  readonly header: number;
  /** False when the range covers only a part of the symbol, such as its name or what stands before its block, or when that is likely. */
  readonly complete: boolean;
}

/** In these, what stands in the line above is another entry. */
const DATA_KINDS = new Set(["key", "string", "number", "boolean", "array", "object", "null", "heading"]);

/** What stands before a symbol on its line is not looked at if it is longer. */
const MAX_PREFIX = 500;

function isBalanced(text: string): boolean {
  return text.split(/[([]/).length === text.split(/[)\]]/).length;
}

/**
 * Where a symbol begins on the line that its range begins in: servers leave out modifiers, types, receivers, `let x =`. Null where it
 * is not certain what stands before it.
 */
function startOnLine(text: string, { start, end }: OffsetRange, name: string, floor: number): number | null {
  const window = Math.max(0, start - MAX_PREFIX);
  const near = text.slice(window, start);
  const from = window + Math.max(near.lastIndexOf("\n"), near.lastIndexOf("\r")) + 1;
  const first = skipSpace(text, from, start);
  if (first < floor || first === start) return start;
  if (from === window && window > 0) return null;
  const before = text.slice(first, start);
  // In `int a, b;` the type is that of both.
  if (/[{([,;]\s*$/.test(before) || text[skipSpace(text, end, text.length)] === ",") return start;
  const words = before.includes(name) ? before.replace(/=\s*$/, "") : before;
  return !/["'`={};]/.test(words) && isBalanced(words) ? first : null;
}

function isComplete(text: string, { range, name, kind }: FileSymbol, start: number, end: number): boolean {
  const told = text.slice(range.start, range.end).trim();
  if (told === "" || (told === name && kind !== "enum-member" && !DATA_KINDS.has(kind))) return false;
  if (/[{([]$/.test(told)) return false;
  const next = skipSpace(text, end, text.length);
  if (text[next] === "{" && text.slice(end, next).split(/\r\n|\n|\r/).length <= 2) return false;
  const own = indentAt(text, start);
  const below = indentAt(text, next);
  // A block that goes on below is not the symbol's next neighbour.
  return own === null || below === null || next === text.length || below.length <= own.length;
}

/**
 * A symbol's range as an element's: without the comments and the white space it may begin or end with, with the modifiers before it
 * and the attributes above it. Nothing before `floor`, where what stands before the symbol ends, is taken in.
 */
export function symbolRange(text: string, symbol: FileSymbol, floor: number): PlacedRange {
  const { name, kind, selection } = symbol;
  const end = skipSpaceBack(text, symbol.range.end);
  const first = skipSpace(text, symbol.range.start, end);
  const told = leadingCommentEnd(text, first, end, Math.max(selection.start, first));
  const certain = startOnLine(text, { start: told, end }, name, floor);
  const onLine = certain ?? told;
  const start = DATA_KINDS.has(kind) ? onLine : symbolAttributeStart(text, onLine, floor);
  return {
    range: { start, end: Math.max(start, end) },
    header: onLine,
    complete: certain !== null && isComplete(text, symbol, onLine, end),
  };
}
