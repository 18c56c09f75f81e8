import { indentAt, isBalanced, lineBreaksBetween, lineStart, type OffsetRange, skipSpace, skipSpaceBack } from "../../base/text/scan.ts";
import type { FileSymbol } from "../../ports/symbolSource.ts";
import { type Definition, plainDefinition } from "../paths/definition.ts";
import { symbolAttributeStart } from "./symbolAttributes.ts";
import { leadingCommentEnd } from "./symbolComments.ts";

/** Among these, the line above holds another entry. */
const DATA_KINDS = new Set(["key", "string", "number", "boolean", "array", "object", "null", "heading"]);

/** A longer text before a symbol on its line is not examined. */
const MAX_PREFIX = 500;

/**
 * A symbol's range without the comments and white space at its ends, with the modifiers before it and the attributes above it.
 * Takes in nothing before `floor`, where the preceding element ends.
 */
export function symbolDefinition(text: string, symbol: FileSymbol, name: string, floor: number): Definition {
  const end = skipSpaceBack(text, symbol.range.end);
  const first = skipSpace(text, symbol.range.start, end);
  const told = leadingCommentEnd(text, first, end, Math.max(symbol.selection.start, first));
  const onLine = startOnLine(text, { start: told, end }, symbol.name, floor);
  const nameStart = onLine ?? told;
  const start = DATA_KINDS.has(symbol.kind) ? nameStart : symbolAttributeStart(text, nameStart, floor);
  const isUncertain = onLine === null || !isComplete(text, symbol, nameStart, end);
  return { ...plainDefinition({ start, end: Math.max(start, end) }, name, symbol.kind), nameStart, isUncertain };
}

/** Where a symbol begins on its line: servers leave out modifiers, types, receivers, `let x =`. Null when that is uncertain. */
function startOnLine(text: string, { start, end }: OffsetRange, name: string, floor: number): number | null {
  const window = Math.max(0, start - MAX_PREFIX);
  const from = window + lineStart(text.slice(window, start), start - window);
  const first = skipSpace(text, from, start);
  if (first < floor || first === start) return start;
  if (from === window && window > 0) return null;
  const before = text.slice(first, start);
  // In `int a, b;` the type is that of both.
  if (/[{([,;]\s*$/.test(before) || text[skipSpace(text, end, text.length)] === ",") return start;
  const words = before.includes(name) ? before.replace(/=\s*$/, "") : before;
  return !/["'`={};]/.test(words) && isBalanced(words, "()[]") ? first : null;
}

function isComplete(text: string, { range, name, kind }: FileSymbol, start: number, end: number): boolean {
  const told = text.slice(range.start, range.end).trim();
  if (told === "" || (told === name && kind !== "enum-member" && !DATA_KINDS.has(kind))) return false;
  if (/[{([]$/.test(told)) return false;
  const next = skipSpace(text, end, text.length);
  if (text[next] === "{" && lineBreaksBetween(text, end, next) <= 1) return false;
  const own = indentAt(text, start);
  const below = indentAt(text, next);
  // A block that goes on below belongs to the symbol.
  return own === null || below === null || next === text.length || below.length <= own.length;
}
