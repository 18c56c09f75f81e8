import { err, ok, type Result } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import { lineEnd, lineStart, nextLine, type OffsetRange } from "../../base/text/scan.ts";
import type { OutlineEntry, SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { changesOf, type PlacedEdit, type TextEdit } from "../text/changeSet.ts";
import { excerpt } from "../text/excerpt.ts";
import { checksFit, squeezed } from "../text/lineChecks.ts";
import { astRemoval } from "./astRemoval.ts";
import { withSeparators } from "./astSeparators.ts";
import { type AstSlot, astSlot, fillSlot } from "./astSlot.ts";
import { cutElements, type ReplacedLines } from "./cutElements.ts";
import type { AddressedLines, BlockEffect, Draft, DraftBlock, OpenedPlace, WholeEffect } from "./draft.ts";
import { countNames, mayChangeNames, replacementWarnings } from "./elementNames.ts";
import { type EarlierEdit, innerLines, innerLinesEdit } from "./innerLines.ts";
import { type FileLines, fileLines } from "./lineChange.ts";
import { aroundRange } from "./streamingText.ts";

interface Opened {
  readonly block: DraftBlock;
  readonly element: SyntaxElement;
  /** Null for a removal. */
  readonly slot: AstSlot | null;
}

/**
 * AST mode: each block is resolved and applied to the shadow text as it closes, so later blocks see earlier ones. The outline's paths
 * keep the meaning they had in the snapshot.
 */
export class AstDraft implements Draft {
  private readonly document: SyntaxDocument;
  private readonly soundBefore: boolean;
  private readonly breaking = new Set<string>();
  /** The lines of the snapshot that each block replaced. */
  private readonly replacedLines = new Map<string, ReplacedLines>();
  private readonly earlier: EarlierEdit[] = [];
  private readonly snapshot: FileLines;
  /** The snapshot's elements. */
  private readonly outline: readonly OutlineEntry[];
  private tracked = new Map<string, OffsetRange>();

  /** `document` holds the snapshot, with its paths pinned, and becomes the shadow text. */
  constructor(document: SyntaxDocument) {
    this.document = document;
    this.snapshot = fileLines(document.text);
    this.outline = document.outline();
    this.soundBefore = document.errorCount() === 0;
  }

  text(): string {
    return this.document.text;
  }

  ranges(): ReadonlyMap<string, OffsetRange> {
    return this.tracked;
  }

  open(block: DraftBlock): Result<OpenedPlace, BlockReason> {
    if (block.address?.kind !== "ast") return err({ code: "invalid-address" });
    const { path, lines } = block.address;
    // Lines mean the snapshot, and half of a message may not parse.
    const known = lines && this.shown(path);
    if (lines && known && known.startLine <= lines.start && lines.end <= known.endLine) return this.openLines(block, null, lines);
    const found = this.document.resolve(path);
    if (!found.ok) return err({ code: "unresolved-path", error: found.error });
    const element = found.value;
    const { text } = this.document;
    if (lines) return this.openLines(block, element, lines);
    const unfit = unfitChecks(text, element, block.checks ?? []);
    if (unfit) return err(unfit);
    if (block.op === "remove") {
      if (element.path === "@file" || element.path === "@imports") return err({ code: "not-removable", path: element.path });
      const close = (lines: readonly string[]) => this.close({ block, element, slot: null }, lines);
      const replaced = { start: element.commentStart, elementStart: element.range.start, end: element.range.end };
      return ok({ growth: null, oldText: text.slice(element.commentStart, element.range.end), replaced, close });
    }
    const slot = astSlot(this.document, element, block.op, this.snapshot.eol);
    if (!slot.ok) return slot;
    const close = (lines: readonly string[]) => this.close({ block, element, slot: slot.value }, lines);
    const { range, before, after, eol } = slot.value;
    const indent = slot.value.inline ? "" : slot.value.indent;
    const oldText = text.slice(range.start, range.end);
    const growth = { ...aroundRange(text, range), before, after, terminated: false, indent, eol };
    if (!replaces(block)) return ok({ growth, oldText: "", close });
    const from = block.op === "with-comment" ? element.commentStart : element.range.start;
    return ok({
      growth,
      oldText,
      replaced: { start: from, elementStart: from, end: element.separatorStart, isSection: element.path === "@imports" },
      close,
    });
  }

  finish(): WholeEffect {
    const cuts = new Map<string, string>();
    if (this.replacedLines.size > 0 && this.document.restriction === null) {
      const cutBy = cutElements(this.outline, this.document.outline());
      const starts = lineStarts(this.document.text);
      for (const [blockId, lines] of this.replacedLines) {
        const { start, end } = this.tracked.get(blockId) ?? { start: 0, end: 0 };
        const path = cutBy(lines, { first: lineAt(starts, start) + 1, last: lineAt(starts, Math.max(start, end - 1)) + 1 });
        if (path !== null) cuts.set(blockId, path);
      }
    }
    return { addsSyntaxError: this.document.errorCount() === 0 ? new Set() : this.breaking, cuts };
  }

  /** The one element of the snapshot that a path, or its end, names; null for none or several. */
  private shown(path: string): OutlineEntry | null {
    const exact = this.outline.filter((entry) => entry.path === path);
    const found = exact.length > 0 ? exact : this.outline.filter((entry) => entry.path.endsWith(`-${path}`));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /** Lines of the snapshot inside an element, null where they are known to be inside. Their body is taken as written. */
  private openLines(block: DraftBlock, element: SyntaxElement | null, lines: AddressedLines): Result<OpenedPlace, BlockReason> {
    const { text } = this.document;
    const { op } = block;
    const found = innerLines(this.snapshot, lines, op, this.earlier, text, element);
    if (!found.ok) return found;
    const { start, end, eol, before, after, neighbors } = found.value;
    const inserts = op === "before" || op === "after";
    const old = text.slice(start, end);
    // The last line may be blank, and counts all the same.
    const oldText = inserts ? "" : old + eol;
    const close = (body: readonly string[]): Result<BlockEffect, BlockReason> => {
      if (inserts && body.length === 0) return err({ code: "empty-body" });
      const edit = innerLinesEdit(text, found.value, op === "remove" ? [] : body);
      const errors = this.document.errorCount();
      this.document.edit(edit, edit.newText);
      if (!inserts) this.replacedLines.set(block.blockId, { ...lines, texts: old.split(/\r\n|\n|\r/) });
      return ok(this.made(block, edit, errors));
    };
    if (op === "remove") return ok({ growth: null, oldText, neighbors, close });
    const growth = { ...aroundRange(text, { start, end }), before, after, terminated: false, indent: null, eol };
    return ok({ growth, oldText, neighbors, close });
  }

  private close(opened: Opened, lines: readonly string[]): Result<BlockEffect, BlockReason> {
    const misaddressed = this.misaddressed(opened, lines);
    if (misaddressed) return err(misaddressed);
    const commented = this.withComment(opened, lines);
    const { block, element, slot } = commented ?? opened;
    const edit = this.editOf({ block, element, slot }, lines);
    if (!edit.ok) return edit;
    const { document } = this;
    const errors = document.errorCount();
    const oldText = document.text.slice(element.range.start, element.range.end);
    const compares = replaces(block) && lines.length > 0 && document.restriction === null && mayChangeNames(element.path, lines);
    const before = compares ? countNames(document.outline()) : null;
    const effect = this.made(block, this.make(edit.value, element, block.op, errors), errors);
    const after = before && countNames(document.outline());
    const warnings = after ? replacementWarnings(element.path, oldText, lines.join("\n"), before, after) : [];
    return ok({ ...effect, warnings, tookComment: commented !== null });
  }

  /** Why a path stands for another element than the one it took, now that the body is known: a prototype, not the definition. */
  private misaddressed({ block: { address, op }, element }: Opened, body: readonly string[]): BlockReason | null {
    if (address?.kind !== "ast" || address.path === element.path || op === "remove") return null;
    const meant = this.document.resolve(address.path, { body });
    if (!meant.ok) return { code: "unresolved-path", error: meant.error };
    return meant.value.path === element.path ? null : { code: "other-element", path: address.path, meant: meant.value.path };
  }

  /** A replacement whose body begins with the comment above the element, as `with-comment`. */
  private withComment({ block, element }: Opened, lines: readonly string[]): Opened | null {
    if (block.op !== "replace" || element.commentStart === element.range.start) return null;
    const { text } = this.document;
    const comment = squeezed(text.slice(element.commentStart, element.range.start));
    let begin = "";
    for (const line of lines) {
      if (begin.length >= comment.length) break;
      begin += squeezed(line);
    }
    if (begin !== comment) return null;
    const slot = astSlot(this.document, element, "with-comment", this.snapshot.eol);
    return slot.ok ? { block: { ...block, op: "with-comment" }, element, slot: slot.value } : null;
  }

  /** Remembers an edit that has been made, where there were `errors` before. */
  private made({ blockId, target }: DraftBlock, edit: PlacedEdit, errors: number): BlockEffect {
    this.track(blockId, edit);
    this.earlier.push({ start: edit.start, end: edit.end, newText: edit.newText, target });
    const addsSyntaxError = this.soundBefore && errors === 0 && this.document.errorCount() > 0;
    if (addsSyntaxError) this.breaking.add(blockId);
    return { addsSyntaxError, clashes: [] };
  }

  private editOf({ block, element, slot }: Opened, lines: readonly string[]): Result<PlacedEdit, BlockReason> {
    const empty = lines.every((line) => line.trim() === "");
    if (!slot || (empty && replaces(block))) {
      if (element.range.start === element.range.end) return err({ code: "empty-body" });
      const others = [...element.sharedWith];
      if (others.length > 0) return err({ code: "shared-declaration", path: element.path, others });
      return ok(astRemoval(this.document, element, slot === null || block.op === "with-comment"));
    }
    return empty ? err({ code: "empty-body" }) : ok(fillSlot(this.document, slot, lines));
  }

  /** Makes the edit. If it causes more than `errors` syntax errors, tries it with a comma between members. */
  private make(edit: PlacedEdit, element: SyntaxElement, op: DraftBlock["op"], errors: number): PlacedEdit {
    const { text } = this.document;
    this.document.edit(edit, edit.newText);
    if (this.document.errorCount() <= errors) return edit;
    let current: TextEdit = edit;
    for (const variant of [...withSeparators(text, edit, element, op), edit]) {
      this.document.edit({ start: current.start, end: current.start + current.newText.length }, text.slice(current.start, current.end));
      this.document.edit(variant, variant.newText);
      current = variant;
      if (this.document.errorCount() <= errors || variant === edit) {
        const shift = variant === edit ? 0 : variant.newText.indexOf(edit.newText) + variant.start - edit.start;
        const written = { start: edit.written.start + Math.max(0, shift), end: edit.written.end + Math.max(0, shift) };
        return { ...variant, written };
      }
    }
    return edit;
  }

  private track(blockId: string, edit: PlacedEdit): void {
    const before = this.document.text.length - edit.newText.length + (edit.end - edit.start);
    const changes = changesOf([edit], before);
    const moved = [...this.tracked].map(([id, range]) => {
      const start = changes.mapPos(range.start, range.start === edit.start && range.end >= edit.end ? -1 : 1);
      return [id, { start, end: Math.max(start, changes.mapPos(range.end, range.end === edit.start ? -1 : 1)) }] as const;
    });
    const { start, end } = edit.written;
    // With the line break: what was removed right below its last line is the block's, too.
    const endsLine = start < end && lineEnd(this.document.text, end) === end;
    this.tracked = new Map([...moved, [blockId, { start, end: endsLine ? nextLine(this.document.text, end) : end }]]);
  }
}

/** The reason where checks fit neither the element nor the element with its comment. */
function unfitChecks(text: string, { range, commentStart }: SyntaxElement, checks: readonly string[]): BlockReason | null {
  if (checks.length === 0) return null;
  const lines = text.slice(lineStart(text, range.start), range.end).split(/\r\n|\n|\r/);
  const comment = text.slice(commentStart, lineEnd(text, commentStart));
  if (checksFit(lines[0], lines.at(-1), checks) || checksFit(comment, lines.at(-1), checks)) return null;
  return { code: "checks-failed", first: lineNumberAt(text, range.start), lines: excerpt(lines) };
}

function replaces(block: DraftBlock): boolean {
  return block.op === "replace" || block.op === "with-comment";
}
