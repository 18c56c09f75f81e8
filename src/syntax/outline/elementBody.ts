import {
  indentAt,
  lineStart,
  type OffsetRange,
  skipBlanks,
  skipSpace,
  skipSpaceBack,
} from "../../base/text/scan.ts";
import type { Element } from "../paths/element.ts";
import type { ElementBody } from "../syntax.ts";
import { bodyHead, commentEndAt, commentEndBelow, commentStart, type Marks } from "./marks.ts";

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

function bracesBody(node: OffsetRange, marks: Marks): ElementBody | null {
  const { text } = marks;
  const open = text.charAt(node.start) in CLOSERS ? node.start : text.indexOf("{", node.start);
  if (open < 0 || open >= node.end - 1) return null;
  if (text[node.end - 1] !== CLOSERS[text.charAt(open)]) return null;
  const end = node.end - 1;
  const head = bodyHead(marks, skipSpace(text, open + 1, end));
  const inner = { start: head?.end ?? open + 1, end };
  const first = skipSpace(text, inner.start, inner.end);
  return { inner, style: "braces", memberIndent: first < inner.end ? indentAt(text, first) : null };
}

function bodyBetween(gap: OffsetRange, text: string): ElementBody {
  // In `class A; end` the body begins after the `;`.
  const start = /^[ \t]*;/.test(text.slice(gap.start, gap.end))
    ? text.indexOf(";", gap.start) + 1
    : gap.start;
  const first = skipSpace(text, start, gap.end);
  return {
    inner: { start, end: gap.end },
    style: "braces",
    memberIndent: first < gap.end ? indentAt(text, first) : null,
  };
}

/** The indent of members that begin at `offset`, which may follow the dash of a YAML list. */
function indentBeside(text: string, offset: number): string | null {
  const before = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*(- +)+$/.test(before) ? before.replaceAll("-", " ") : indentAt(text, offset);
}

/** Where the first member begins after a body's head and the comment on its line. */
function afterHead(headEnd: number, end: number, marks: Marks): number {
  const { text } = marks;
  return skipSpace(text, commentEndAt(marks, skipBlanks(text, headEnd)), end);
}

function indentedBody({ start }: Element, block: OffsetRange, marks: Marks): ElementBody {
  const { text } = marks;
  const head = bodyHead(marks, block.start);
  const memberIndent = indentBeside(text, block.start);
  const blockEnd = skipSpaceBack(text, block.end);
  // A YAML list may have its key's own indent; then the comments below it belong to the next key.
  const isDeeper =
    memberIndent !== null && memberIndent.length > (indentAt(text, start) ?? "").length;
  const end = isDeeper ? commentEndBelow(marks, blockEnd, memberIndent) : blockEnd;
  if (!head) {
    const from = memberIndent === null ? block.start : commentStart(marks, block.start);
    return { inner: { start: from, end }, style: "indent", memberIndent };
  }
  const first = afterHead(head.end, end, marks);
  if (first >= end) {
    const at = Math.min(head.end, end);
    return { inner: { start: at, end: at }, style: "indent", memberIndent };
  }
  return { inner: { start: commentStart(marks, first), end }, style: "indent", memberIndent };
}

function sectionBody(heading: OffsetRange, end: number, text: string): ElementBody {
  const start = skipSpace(text, heading.end, end);
  return { inner: { start: Math.min(start, end), end }, style: "section", memberIndent: null };
}

/** Where an element's members go; null when it has none. */
export function elementBody(element: Element, marks: Marks): ElementBody | null {
  const { text } = marks;
  if (element.level > 0)
    return sectionBody({ start: element.start, end: element.nodeEnd }, element.end, text);
  if (!element.body) return null;
  const node = { start: element.body.start, end: Math.min(element.body.end, element.end) };
  if (element.bodyStyle === "braces") return bracesBody(node, marks);
  if (element.bodyStyle === "between") return bodyBetween(node, text);
  if (element.bodyStyle === "rest") {
    const start = Math.min(afterHead(node.start, node.end, marks), node.end);
    return { inner: { start, end: node.end }, style: "section", memberIndent: null };
  }
  return indentedBody(element, node, marks);
}
