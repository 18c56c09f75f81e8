import { err, ok, type Result } from "../../base/result.ts";
import { lineStart, type OffsetRange, previousLineEnd } from "../../base/text/scan.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { BlockAdjustment } from "../block.ts";
import { addedImports } from "../elements/imports.ts";
import {
  type InsertingOp,
  repeatedLine,
  withoutSeparatorLine,
} from "../elements/repeatedInsertion.ts";
import { indentOf } from "../text/indent.ts";
import { type AstSlot, astSlot } from "./astSlot.ts";
import { indentBlock, type SlotBody } from "./rewriteElement.ts";

/** A body that is inserted. */
type Insertion = SlotBody & { readonly op: InsertingOp };

/** Fits a body that is inserted at an element: without what it repeats of it. */
export function insertBlock(
  document: SyntaxDocument,
  element: SyntaxElement,
  placed: Insertion,
): Result<SlotBody, BlockReason> {
  const { text } = document;
  if (element.path === "@imports") return insertImports(document, element, placed);
  const lines = withoutSeparatorLine(placed.op, placed.lines);
  const line = repeatedLine(text, element, placed.op, lines);
  const block = indentBlock({ ...placed, lines }, text, []);
  const doubled: BlockWarning[] = line === null ? [] : [{ code: "doubles-lines", line }];
  return ok({ ...block, warnings: [...block.warnings, ...doubled] });
}

/** Python refuses these below other imports. */
const FUTURE = /^from\s+__future__\s/;
const FUTURE_LINE = /^from\s+__future__\s[^(\\]*$/;

function insertImports(
  document: SyntaxDocument,
  element: SyntaxElement,
  written: Insertion,
): Result<SlotBody, BlockReason> {
  const { text, language } = document;
  const { range } = element;
  const placed = language === "python" ? futureFirst(document, element, written) : written;
  const added = addedImports(text.slice(range.start, range.end), placed.lines, language);
  if (added.lines.length === 0) return err({ code: "already-there" });
  const adjustments: BlockAdjustment[] =
    added.repeated.length > 0 ? [{ code: "repeats-imports", lines: added.repeated }] : [];
  const warnings: BlockWarning[] =
    added.doubled === null ? [] : [{ code: "doubles-lines", line: added.doubled }];
  const own = { ...placed, lines: added.lines };
  const formed =
    language === "go" ? goImports(text, placed.slot, range, added.lines, placed.op) : null;
  if (formed) adjustments.push({ code: "import-form" });
  const block = indentBlock({ ...own, ...formed }, text, []);
  return ok({
    ...block,
    adjustments: [...block.adjustments, ...adjustments],
    warnings: [...block.warnings, ...warnings],
  });
}

function futureFirst(
  document: SyntaxDocument,
  element: SyntaxElement,
  placed: Insertion,
): Insertion {
  const { slot, lines } = placed;
  const begins = FUTURE.test(lines.find((line) => line.trim() !== "") ?? "");
  const future = begins ? lines : lines.filter((line) => FUTURE_LINE.test(line));
  const top = future.length > 0 ? astSlot(document, element, "prepend", slot.eol) : null;
  if (!top?.ok) return placed;
  const others = lines.filter((line) => !future.includes(line));
  return { ...placed, slot: top.value, lines: [...future, ...others] };
}

const SPEC = /^(?:[\w.]+\s+)?"[^"]*"(?:\s*\/\/.*)?$/;

/** Go's imports in the form of the section; null where they already fit, or are none. */
function goImports(
  text: string,
  slot: AstSlot,
  section: OffsetRange,
  lines: readonly string[],
  op: InsertingOp,
): { readonly slot: AstSlot; readonly lines: readonly string[] } | null {
  const specs = lines.map((line) => line.trim().replace(/^import\s+(?=[^(])/, ""));
  if (!specs.every((spec) => spec === "" || SPEC.test(spec))) return null;
  const sectionText = text.slice(section.start, section.end);
  const open = sectionText.search(/\([ \t]*(?:\r\n|\n|\r)/);
  if (open < 0 || !sectionText.endsWith(")")) {
    const written = specs.map((spec) => (spec === "" ? spec : `import ${spec}`));
    return written.every((line, index) => line === lines[index]?.trim())
      ? null
      : { slot, lines: written };
  }
  const close = lineStart(text, section.end);
  const first = text.slice(section.start + open + 1).replace(/^[ \t]*(?:\r\n|\n|\r)/, "");
  const indent = indentOf(first) || "\t";
  const at = op === "append" ? previousLineEnd(text, close) : section.start + open + 1;
  return {
    slot: {
      ...slot,
      range: { start: at, end: at },
      separatedEnd: at,
      before: slot.eol,
      after: "",
      indent,
      inline: false,
    },
    lines: specs,
  };
}
