import { indentAt, isBalanced, lineStart, skipSpace, skipSpaceBack } from "../../base/text/scan.ts";
import type { ElementBody, OffsetRange } from "../syntax.ts";

interface Line {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  readonly indent: number;
  readonly text: string;
}

/** The non-blank lines of a range; the first one from the range's start on. */
function linesIn(text: string, { start, end }: OffsetRange): Line[] {
  const lines: Line[] = [];
  let at = start;
  for (const line of text.slice(start, end).split(/(?<=\r\n|\n|\r(?!\n))/)) {
    const content = line.trimEnd();
    const indent = lines.length === 0 ? (indentAt(text, start)?.length ?? -1) : content.length - content.trimStart().length;
    if (content !== "") lines.push({ start: at, end: at + content.length, indent, text: content.trimStart() });
    at += line.length;
  }
  return lines;
}

/** Deeper brackets are not examined. */
const MAX_BRACKETS = 50;

/** True when the last member lacks the `;` or `,` that would separate it from the next one. */
function lacksSeparator(content: string): boolean {
  let plain = content.replace(/(?:\/\/|\/\*).*$/gm, "");
  for (let before = "", level = 0; before !== plain; level++) {
    if (level > MAX_BRACKETS) return true;
    before = plain;
    plain = plain.replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, "¤");
  }
  plain = plain.trim();
  if (plain === "" || /[;,]$/.test(plain)) return false;
  const last = /[^;\r\n]*$/.exec(plain)?.[0] ?? "";
  if (/^\s*[\w$-]+\s*:[^:=]/.test(last) && !last.endsWith("¤")) return true;
  const isOneLine = !/[\r\n]/.test(plain);
  return !last.endsWith("¤") && (isOneLine ? /[;,]/ : /[;,][ \t]*$/m).test(plain);
}

/** The lines between header and closing line when they are deeper than both: then the layout alone is certain. */
function laidOut(lines: readonly Line[]): { readonly header: Line; readonly closing: Line; readonly members: readonly Line[] } | null {
  const header = lines[0];
  const closing = lines.at(-1);
  if (!header || !closing || lines.length < 2 || header.indent < 0 || closing.indent !== header.indent) return null;
  const members = lines.slice(1, -1);
  return members.every(({ indent }) => indent > header.indent) ? { header, closing, members } : null;
}

/** Between the range's last `}` and its `{`. Braces in strings and comments make it uncertain, unless the layout shows it. */
function bracesBody(text: string, { start, end }: OffsetRange, lines: readonly Line[]): OffsetRange | null {
  const close = start + text.slice(start, end).replace(/[;,\s]+$/, "").length - 1;
  if (text[close] !== "}") return null;
  const layout = laidOut(lines);
  if (layout?.header.text.endsWith("{") && layout.closing.start + layout.closing.indent === close) {
    return { start: layout.header.end, end: close };
  }
  if (!isBalanced(text.slice(start, close + 1), "{}")) return null;
  let open = close;
  for (let depth = 1; depth > 0; ) {
    open--;
    if (text[open] === "}") depth++;
    else if (text[open] === "{") depth--;
  }
  const content = text.slice(open + 1, close);
  if (!/[\r\n]/.test(content)) return { start: open + 1, end: close };
  // After the brace may come a closure's parameters.
  if (!/^[ \t]*(?:(?:\/\/|#|--|\/\*).*)?(?:\r|\n)/.test(content)) return null;
  const closingIndent = indentAt(text, close);
  const lineIndent = indentAt(text, skipSpace(text, lineStart(text, open), open));
  const ownIndent = indentAt(text, start);
  return closingIndent !== null && (closingIndent === lineIndent || closingIndent === ownIndent) ? { start: open + 1, end: close } : null;
}

/** Between a header of one line and the `end` below it: `do … end`, `function f() … end`. */
function endBody(lines: readonly Line[]): OffsetRange | null {
  const layout = laidOut(lines);
  if (!layout || !/^end\b/i.test(layout.closing.text) || !isBalanced(layout.header.text, "()[]")) return null;
  const [first] = layout.members;
  // The header continues when the line below it is deeper than the members, or opens the block.
  if (first && (layout.members.some(({ indent }) => indent < first.indent) || /(?:^when\b|\bdo$)/.test(first.text))) return null;
  return { start: layout.header.end, end: layout.closing.start + layout.closing.indent };
}

/**
 * Where an element's members go, by its layout alone: between its last braces, or between its header and `end`. Null where that is not
 * certain. `range` begins with the header, `children` are the ranges of the elements inside it.
 */
export function symbolBody(text: string, range: OffsetRange, children: readonly OffsetRange[]): ElementBody | null {
  const lines = linesIn(text, { start: range.start, end: skipSpaceBack(text, range.end) });
  const inner = bracesBody(text, range, lines) ?? endBody(lines);
  if (!inner || !children.every(({ start, end }) => inner.start <= start && end <= inner.end)) return null;
  if (lacksSeparator(text.slice(inner.start, inner.end))) return null;
  const first = skipSpace(text, inner.start, inner.end);
  return { inner, style: "braces", memberIndent: first < inner.end ? indentAt(text, first) : null };
}
