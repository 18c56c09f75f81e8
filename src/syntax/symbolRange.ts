import type { FileSymbol } from "../ports/symbolSource.ts";
import { indentAt, lineStart, skipSpace, skipSpaceBack } from "./surroundings.ts";
import { symbolAttributeStart } from "./symbolAttributes.ts";
import { leadingCommentEnd } from "./symbolComments.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** Where a symbol is as an element. */
export interface PlacedRange {
  readonly range: OffsetRange;
  /** Where it begins without its attributes. */
  readonly header: number;
  /** False when the range covers only a part of the symbol for certain: its name, or what stands before its block. */
  readonly complete: boolean;
}

/** In these, what stands in the line above is another entry. */
const DATA_KINDS = new Set(["key", "string", "number", "boolean", "array", "object", "null", "heading"]);

/** Modifiers, a type, `export`, `let x =`: what may stand before the place where a server lets a symbol begin. */
const WORDS = /^(?:[\p{L}\p{N}_$@][\p{L}\p{N}_$.<>[\]?*&:,@-]*[ \t]+)+$/u;

function startOnLine(text: string, start: number, name: string, floor: number): number {
  const from = lineStart(text, start);
  const first = skipSpace(text, from, start);
  if (first < floor || first === start) return start;
  const before = text.slice(first, start);
  const declares = before.includes(name) && /=[ \t]*$/.test(before) && WORDS.test(`${before.replace(/=[ \t]*$/, "").trimEnd()} `);
  return WORDS.test(before) || declares ? first : start;
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
  const onLine = startOnLine(text, told, name, floor);
  const start = DATA_KINDS.has(kind) ? onLine : symbolAttributeStart(text, onLine, floor);
  return { range: { start, end: Math.max(start, end) }, header: onLine, complete: isComplete(text, symbol, onLine, end) };
}
