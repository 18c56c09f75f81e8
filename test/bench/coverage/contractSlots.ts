import type { SyntaxElement } from "../../../src/syntax/syntax.ts";

/** An operation of AST mode that writes a body. */
export type WritingOp = "replace" | "with-comment" | "before" | "after" | "append" | "prepend";

/**
 * Where the contract says that a body goes: the text from `start` to `end` (UTF-16 offsets) becomes
 * `before` + body + `after`. Written from `edit-mode.md`, not from the engine, so that the engine
 * can be held against it.
 */
export interface ContractSlot {
  readonly op: WritingOp;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
  /** The indent that a body must have to stay as it is; null where any does. */
  readonly indent: string | null;
  /** True where the body's first line stands behind other text and has no indent. */
  readonly inline: boolean;
  /**
   * Whether the body must (or must not) end with a `,` or `;` to be meant for this slot; null where
   * it does not matter.
   */
  readonly separated: boolean | null;
  /** The element that is replaced; "" for an insertion. */
  readonly old: string;
  /** True where a comment stands directly above that stays. */
  readonly commented: boolean;
}

/** The offset at which the line of `offset` begins. */
export function lineStartAt(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The offset at which the line of `offset` ends, before its line break. */
export function lineEndAt(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return text[at - 1] === "\r" && at > offset ? at - 1 : at;
}

function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

/** The spaces and tabs the line of `offset` begins with, as far as `offset`. */
function indentBefore(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStartAt(text, offset), offset))?.[0] ?? "";
}

/** True when only white space or a comment follows on the line. */
export function isLineOver(text: string, offset: number): boolean {
  return /^[ \t]*((\/\/|#|--).*|\/\*.*\*\/[ \t]*)?$/.test(
    text.slice(offset, lineEndAt(text, offset)),
  );
}

function replacements(
  text: string,
  element: SyntaxElement,
  op: "replace" | "with-comment",
): ContractSlot[] {
  const from = op === "with-comment" ? element.commentStart : element.range.start;
  if (element.path === "@file" || (op === "with-comment" && from === element.range.start))
    return [];
  if (element.range.start === element.range.end) return [];
  const start = lineStartAt(text, from);
  const inline = !isBlank(text.slice(start, from));
  // In Markdown indents are content.
  const isProse = element.body?.style === "section" && element.path !== "@imports";
  const indent = inline || isProse ? null : indentBefore(text, element.range.start);
  const old = text.slice(element.range.start, element.range.end);
  const commented = op === "replace" && element.commentStart < element.range.start;
  const common = {
    op,
    start: inline ? from : start,
    before: "",
    after: "",
    indent,
    inline,
    old,
    commented,
  };
  const { separatorStart, range } = element;
  if (separatorStart === range.end) return [{ ...common, end: range.end, separated: null }];
  return [
    { ...common, end: range.end, separated: true },
    { ...common, end: separatorStart, separated: false },
  ];
}

function insertions(text: string, element: SyntaxElement, eol: string): ContractSlot[] {
  const slots: ContractSlot[] = [];
  const add = (op: WritingOp, at: number, where: "above" | "below", indent: string | null) => {
    const [before, after] = where === "above" ? ["", eol] : [eol, ""];
    slots.push({
      op,
      start: at,
      end: at,
      before,
      after,
      indent,
      inline: false,
      separated: null,
      old: "",
      commented: false,
    });
  };
  const { body, range, commentStart } = element;
  const isNamed = element.path !== "@file" && element.path !== "@imports";
  if (isNamed) {
    const isProse = body?.style === "section";
    const indent = indentBefore(text, range.start);
    const top = lineStartAt(text, commentStart);
    if (isBlank(text.slice(top, commentStart))) add("before", top, "above", indent);
    if (isLineOver(text, range.end))
      add("after", lineEndAt(text, range.end), "below", isProse ? null : indent);
  }
  if (!body) return slots;
  const { inner, style, memberIndent } = body;
  const content = text.slice(inner.start, inner.end);
  const last = inner.start + content.trimEnd().length;
  const first = inner.end - content.trimStart().length;
  if (style === "section") {
    const isOpen = lineStartAt(text, inner.end) !== inner.end;
    if (inner.start < inner.end)
      add(
        "append",
        isOpen ? lineEndAt(text, inner.end) : inner.end,
        isOpen ? "below" : "above",
        memberIndent,
      );
    if (lineStartAt(text, inner.start) === inner.start)
      add("prepend", inner.start, "above", memberIndent);
  } else if (style === "indent") {
    if (memberIndent === null || content.trim() === "") return slots;
    add("prepend", lineStartAt(text, inner.start), "above", memberIndent);
    if (isLineOver(text, inner.end))
      add("append", lineEndAt(text, inner.end), "below", memberIndent);
  } else if (content.trim() !== "" && memberIndent !== null) {
    if (text.slice(last, inner.end).includes("\n")) add("append", last, "below", memberIndent);
    if (text.slice(inner.start, first).includes("\n"))
      add("prepend", inner.start, "below", memberIndent);
  }
  return slots;
}

/** Every place at which a block for this element can write; `eol` is the file's line break. */
export function contractSlots(text: string, element: SyntaxElement, eol: string): ContractSlot[] {
  return [
    ...replacements(text, element, "replace"),
    ...replacements(text, element, "with-comment"),
    ...insertions(text, element, eol),
  ];
}

const COMMENT = /^\s*(?:\/\/|\/\*|#(?!\[)|--|<!--)/;
const CLOSES = /^\s*(?:[)\]}]|end\b|fi\b|done\b)/;

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

const WORDS =
  /^\s*((?:(?:abstract|async|const|data|default|export|extern|final|inline|internal|open|override|private|protected|pub|public|readonly|sealed|static|suspend|unsafe|virtual)\s+)+)/;

/**
 * True where a declaration has attributes, or modifiers, and a body has none: a replacement keeps
 * them.
 */
function lacksHead(old: string, body: string): boolean {
  const [before, after] = [old, body].map((text) =>
    text.replace(/^(?:\s*(?:\/\/|#(?!\[)|\/\*(?:[^*]|\*(?!\/))*\*\/).*\n)*/, ""),
  );
  const ATTRIBUTE = /^\s*(?:@\w|#\[|\[\w|template\b)/;
  const rest = (text = "") => text.replace(/^(?:\s*(?:@\w|#\[|\[\w|template\b).*\n)*/, "");
  const lacksAttributes = ATTRIBUTE.test(before ?? "") && !ATTRIBUTE.test(after ?? "");
  return lacksAttributes || (WORDS.test(rest(before)) && !WORDS.test(rest(after)));
}

/** True when the contract leaves this body as it is in this slot. */
export function staysAsIs(body: string, slot: ContractSlot): boolean {
  const lines = body.split("\n");
  const filled = lines.filter((line) => line.trim() !== "");
  const first = filled[0];
  if (first === undefined) return false;
  if (slot.separated !== null && /[,;]$/.test((filled.at(-1) ?? "").trimEnd()) !== slot.separated)
    return false;
  if (slot.commented && COMMENT.test(first)) return false;
  if (lacksHead(slot.old, body)) return false;
  // A body that ends at another margin than it begins is moved to one.
  const last = filled.at(-1) ?? "";
  if (slot.indent !== null && CLOSES.test(last) && indentOf(last) !== indentOf(first)) return false;
  if (slot.inline) return lines[0] === first && !/^[ \t]/.test(first);
  if (slot.indent === null) return true;
  const indents = filled.map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const smallest = indents.reduce((least, indent) =>
    indent.length < least.length ? indent : least,
  );
  return indents[0] === slot.indent || smallest === slot.indent;
}
