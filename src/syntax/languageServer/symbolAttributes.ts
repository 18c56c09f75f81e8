import { indentAt, isBalanced, lineBreaksBetween, lineStart, previousLineEnd, skipSpaceBack } from "../../base/text/scan.ts";

/** Elixir's attributes of the definition below; others, such as `@timeout 5`, stand alone. */
const WORDS = /^@(?:doc|spec|impl|deprecated|since|typedoc|tag)\b/;

const BRACKETS = "()[]{}";

/** An attribute has at most so many lines. */
const MAX_LINES = 200;

/** True for the whole text of one attribute: `@name`, `@name(…)`, `[…]`, `#[…]`, `@doc """…"""`. */
function isAttribute(text: string): boolean {
  if (text.endsWith(";")) return false;
  if (WORDS.test(text)) {
    const quotes = text.match(/"""|'''/g)?.length ?? 0;
    return quotes === 0 ? isBalanced(text, BRACKETS) : quotes === 2 && /("""|''')$/.test(text);
  }
  if (/^@[\w$.:]+$/.test(text)) return true;
  if (/^@[\w$.:]+\s*\(/.test(text)) return text.endsWith(")") && isBalanced(text, BRACKETS);
  return /^#?\[/.test(text) && text.endsWith("]") && isBalanced(text, BRACKETS);
}

/** The start of the attribute that ends at `end` and begins on a line with exactly this indent, or null. */
function attributeEndingAt(text: string, end: number, indent: string, floor: number): number | null {
  let at = lineStart(text, end);
  const quoted = /("""|''')$/.test(text.slice(at, end));
  for (let count = 0; count < MAX_LINES && at >= floor; count++) {
    const line = /^.*/.exec(text.slice(at, end))?.[0] ?? "";
    const own = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (own === indent && isAttribute(text.slice(at + indent.length, end))) return at + indent.length;
    const isInside = count === 0 ? /^[)\]"']/.test(line.trimStart()) || own.length > indent.length : quoted || own.length > indent.length;
    if (!isInside || at === 0) return null;
    at = lineStart(text, previousLineEnd(text, at));
  }
  return null;
}

/** The start of the first of the decorators and attributes on the lines right above `offset`; `offset` when there are none. */
export function symbolAttributeStart(text: string, offset: number, floor: number): number {
  const indent = indentAt(text, offset);
  if (indent === null) return offset;
  let top = offset;
  for (;;) {
    const end = skipSpaceBack(text, top);
    if (end <= floor || lineBreaksBetween(text, end, top) !== 1) return top;
    const start = attributeEndingAt(text, end, indent, floor);
    if (start === null) return top;
    top = start;
  }
}
