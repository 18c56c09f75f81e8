import { lineStart, nextLine, skipBlanks } from "../../base/text/scan.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockAdjustment, EditOp } from "../block.ts";
import { fitIndent, growingIndent } from "../elements/bodyIndent.ts";
import { lostImports } from "../elements/imports.ts";
import { keepHead } from "../elements/keptHead.ts";
import { CALLABLE } from "../elements/kinds.ts";
import { leadingComments, planComments } from "../elements/leadingComments.ts";
import { lostComment } from "../elements/lostComment.ts";
import { lastName, unnumbered } from "../elements/pathNames.ts";
import { repeatedAbove } from "../elements/repeatedInsertion.ts";
import { indentOf, indentUnit, shiftIndent } from "../text/indent.ts";
import { squeezed } from "../text/lineChecks.ts";
import { type AstSlot, astSlot, withoutFirstIndent } from "./astSlot.ts";
import { fitTrailingComment } from "./trailingComment.ts";

/** A body and its slot, and what has been made of it and said of it so far. */
export interface SlotBody {
  readonly op: EditOp;
  readonly slot: AstSlot;
  readonly lines: readonly string[];
  readonly adjustments: readonly BlockAdjustment[];
  readonly warnings: readonly BlockWarning[];
}

/** Moves a body to its slot's indent; `old` are the lines it replaces, from their line start. */
export function indentBlock(placed: SlotBody, text: string, old: readonly string[]): SlotBody {
  const { slot, lines } = placed;
  if (slot.indent === null) return placed;
  if (slot.inline) return { ...placed, lines: shiftIndent(lines, slot.indent) };
  const target = slot.indent;
  const fitted = fitIndent(lines, target, old, () => indentUnit(text, target, "    "));
  const { doubtful } = fitted;
  return {
    ...placed,
    lines: fitted.lines,
    adjustments: [...placed.adjustments, ...(fitted.parts ? [{ code: "margin" } as const] : [])],
    warnings:
      doubtful === null
        ? placed.warnings
        : [...placed.warnings, { code: "whitespace", line: doubtful.trim() }],
  };
}

/** How {@link indentBlock} will move lines that are being written; null where it leaves them. */
export function indentSoFar(
  { indent, inline }: AstSlot,
  text: string,
  old: readonly string[],
): ((lines: readonly string[]) => readonly string[]) | null {
  if (inline)
    return (lines) => withoutFirstIndent(indent === null ? lines : shiftIndent(lines, indent));
  if (indent === null) return null;
  let unit: string | null = null;
  return growingIndent(indent, old, () => {
    unit ??= indentUnit(text, indent, "    ");
    return unit;
  });
}

/** An element's lines, the first one with its indent. */
export function oldLines(text: string, { range }: SyntaxElement): string[] {
  return text.slice(lineStart(text, range.start), range.end).split(/\r\n|\n|\r/);
}

/**
 * Fits a body to the whole element it replaces: its comments take the place of those around the
 * element, and what it lacks of the head stays. `isNamed` tells whether the model speaks of a word.
 */
export function rewriteElement(
  document: SyntaxDocument,
  element: SyntaxElement,
  placed: SlotBody,
  eol: string,
  isNamed: (word: string) => boolean,
): SlotBody {
  const { text } = document;
  const { range } = element;
  const old = oldLines(text, element);
  const indented = indentBlock(placed, text, old);
  if (element.path === "@imports") return replaceImports(document, element, indented);
  if (placed.slot.inline || element.path.startsWith("@")) return indented;
  const commented = replaceComments(document, element, indented, eol);
  const head = keepHead(
    commented.lines,
    {
      text: text.slice(range.start, range.end),
      kind: element.kind,
      language: document.language,
      name: lastName(unnumbered(element.path)),
      indent: indentOf(old[0] ?? ""),
    },
    isNamed,
  );
  const trailing = fitTrailingComment(document, element, commented.slot, head.lines);
  const adjustments: BlockAdjustment[] = [...commented.adjustments];
  const warnings: BlockWarning[] = [...commented.warnings];
  if (head.kept.length > 0) adjustments.push({ code: "kept-head", kept: head.kept });
  if (head.lost.length > 0) warnings.push({ code: "loses-head", lost: head.lost.join(" ") });
  if (trailing.comment === "replaced") adjustments.push({ code: "trailing-comment" });
  if (trailing.comment === "both")
    warnings.push({ code: "doubles-comment", line: (trailing.lines.at(-1) ?? "").trim() });
  const commentless = lostComment(document, range, head.lines);
  if (commentless !== null) warnings.push({ code: "loses-comment", line: commentless });
  const above = commented.op === "replace" ? repeatedAbove(text, element, head.lines) : null;
  if (above !== null) warnings.push({ code: "doubles-lines", line: above });
  const slot = withoutEnd(text, element, trailing.slot, trailing.lines);
  return { op: commented.op, slot, lines: trailing.lines, adjustments, warnings };
}

function replaceImports(
  { text, language }: SyntaxDocument,
  { path, range }: SyntaxElement,
  placed: SlotBody,
): SlotBody {
  const section = text.slice(range.start, range.end);
  const names = lostImports(section, placed.lines, text.slice(range.end), language);
  return names.length === 0
    ? placed
    : {
        ...placed,
        warnings: [...placed.warnings, { code: "loses-members", path, names: [...names] }],
      };
}

/** A declaration's `;` goes with it where a definition replaces it. */
function withoutEnd(
  text: string,
  { kind, range }: SyntaxElement,
  slot: AstSlot,
  lines: readonly string[],
): AstSlot {
  const isDefined =
    lines.join("\n").trimEnd().endsWith("}") && !text.slice(range.start, range.end).includes("{");
  return CALLABLE.has(kind) && isDefined
    ? { ...slot, range: { ...slot.range, end: Math.max(slot.range.end, slot.separatedEnd) } }
    : slot;
}

/** A replacement whose body begins with a comment, as one of the comment above the element, too. */
function replaceComments(
  document: SyntaxDocument,
  element: SyntaxElement,
  block: SlotBody,
  eol: string,
): SlotBody {
  const { text } = document;
  const { commentStart, range } = element;
  if (block.op !== "replace" || commentStart === range.start) return block;
  const top = lineStart(text, commentStart);
  const bottom = lineStart(text, range.start);
  if (top >= bottom) return block;
  const above = text
    .slice(top, bottom)
    .split(/\r\n|\n|\r/)
    .slice(0, -1);
  const wrote = (from: number, lines: readonly string[]): SlotBody => {
    let start = top;
    for (let line = 0; line < from; line++) start = nextLine(text, start);
    const slot = astSlot(
      document,
      { ...element, commentStart: skipBlanks(text, start) },
      "with-comment",
      eol,
    );
    if (!slot.ok) return block;
    return {
      ...block,
      op: "with-comment",
      slot: slot.value,
      lines,
      adjustments: [...block.adjustments, { code: "with-comment" }],
    };
  };
  const name = lastName(unnumbered(element.path));
  if (beginsWith(block.lines, squeezed(above.join(""))) || holdsHead(block.lines, above, name))
    return wrote(0, block.lines);
  const plan = planComments(above, block.lines);
  if (plan.code === "keep") return block;
  const first = block.lines.find((line) => line.trim() !== "") ?? "";
  if (plan.code === "unclear")
    return {
      ...block,
      warnings: [...block.warnings, { code: "doubles-comment", line: first.trim() }],
    };
  const end = leadingComments(block.lines).at(-1)?.end ?? 0;
  const directives = plan.directives.map((line) => indentOf(first) + line.trim());
  return wrote(plan.from, [...block.lines.slice(0, end), ...directives, ...block.lines.slice(end)]);
}

/** True where new lines stand before the element, whose comment the body therefore repeats. */
function holdsHead(lines: readonly string[], comment: readonly string[], name: string): boolean {
  const margin = indentOf(lines.find((line) => line.trim() !== "") ?? "");
  return lines.some(
    (line, at) =>
      at > 0 &&
      indentOf(line) === margin &&
      comment.every((each, index) => lines[at + index]?.trim() === each.trim()) &&
      (lines[at + comment.length] ?? "").includes(name),
  );
}

/** True where lines begin with a text, apart from white space. */
function beginsWith(lines: readonly string[], text: string): boolean {
  let begin = "";
  for (const line of lines) {
    if (begin.length >= text.length) break;
    begin += squeezed(line);
  }
  return begin === text;
}
