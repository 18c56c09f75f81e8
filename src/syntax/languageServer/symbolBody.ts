import { indentAt, isBalanced, skipSpaceBack } from "../../base/text/scan.ts";
import type { ElementBody, OffsetRange } from "../syntax.ts";

/** A line that goes on with the header: a guard, or one that opens the block. */
const HEADER_GOES_ON = /^when\b|\bdo$/;

/**
 * Where an element's members go, where its lines show it: below a header that ends with `{`, or that an `end` closes, deeper than
 * both; or in its empty braces. Null where that is not certain. `range` begins with the header, `children` are the ranges of the elements
 * inside it.
 */
export function symbolBody(text: string, range: OffsetRange, children: readonly OffsetRange[]): ElementBody | null {
  const indent = indentAt(text, range.start);
  const content = text.slice(range.start, skipSpaceBack(text, range.end));
  const empty = /^.*\{(\s*)\}[;,]*$/.exec(content);
  const lines = content.split(/(?<=\r\n|\n|\r(?!\n))/);
  // The brace may have a line of its own.
  const headerLines = lines[1]?.trimEnd() === `${indent}{` ? 2 : 1;
  const header = lines.slice(0, headerLines).join("").trimEnd();
  const closing = empty ? content.slice(content.lastIndexOf("}")) : (lines.at(-1)?.trimStart() ?? "");
  const end = range.start + content.length - closing.length;
  const inner = empty ? { start: end - (empty[1] ?? "").length, end } : { start: range.start + header.length, end };
  const members = lines.slice(headerLines, -1).filter((line) => line.trim() !== "");
  if (!children.every(({ start, end }) => inner.start <= start && end <= inner.end)) return null;
  if (empty) return { inner, style: "braces", memberIndent: null };
  if (indent === null || lines.length <= headerLines || indentAt(text, end) !== indent || lacksSeparator(members)) return null;
  if (!members.every((line) => line.startsWith(indent) && /^[ \t]/.test(line.slice(indent.length)))) return null;
  const isBraces = header.endsWith("{") && /^\}[;,]*$/.test(closing);
  if (!isBraces && !(/^end\b/i.test(closing) && isBalanced(header, "()[]") && !isHeader(members))) return null;
  return { inner, style: "braces", memberIndent: /^[ \t]+/.exec(members[0] ?? "")?.[0] ?? null };
}

/** True where the first line below the header still belongs to it: members are less deep. */
function isHeader([first = "", ...others]: readonly string[]): boolean {
  const depth = (line: string) => line.length - line.trimStart().length;
  return HEADER_GOES_ON.test(first.trim()) || others.some((line) => depth(line) < depth(first));
}

/** True where the last member lacks the `;` or `,` that would separate it from the next one. */
function lacksSeparator(members: readonly string[]): boolean {
  const code = members.map((line) => line.replace(/(?:\/\/|\/\*).*$/, "").trim()).filter((line) => line !== "");
  const last = code.at(-1) ?? "";
  if (last === "" || /[;,}]$/.test(last)) return false;
  return /^[\w$-]+\s*:[^:=]/.test(last) || code.some((line) => /[;,]$/.test(line));
}
