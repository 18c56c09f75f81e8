import { err, ok, type Result } from "../../base/result.ts";
import { dominantEol, splitLines } from "../../base/text/lines.ts";
import { pathErrorMessage } from "../../syntax/messages.ts";
import type { OffsetRange, SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { TextEdit } from "../text/changeSet.ts";
import { changesOf } from "../text/changeSet.ts";
import { astRemoval } from "./astRemoval.ts";
import { withSeparators } from "./astSeparators.ts";
import { type AstSlot, astSlot, fillSlot } from "./astSlot.ts";
import type { BlockEffect, Draft, DraftBlock, OpenedPlace } from "./draft.ts";

interface Opened {
  readonly block: DraftBlock;
  readonly element: SyntaxElement;
  /** Null for a removal. */
  readonly slot: AstSlot | null;
}

/** An edit, and where the block's own text is in the text after it. */
interface PlacedEdit extends TextEdit {
  readonly written: OffsetRange;
}

/**
 * AST mode: each block is resolved and applied to the shadow text as it closes, so later blocks see earlier ones. The outline's paths
 * keep the meaning they had in the snapshot.
 */
export class AstDraft implements Draft {
  private readonly document: SyntaxDocument;
  private readonly eol: string;
  private readonly soundBefore: boolean;
  private readonly breaking = new Set<string>();
  private tracked = new Map<string, OffsetRange>();

  /** `document` holds the snapshot, with its paths pinned, and becomes the shadow text. */
  constructor(document: SyntaxDocument) {
    this.document = document;
    this.eol = dominantEol(splitLines(document.text)) ?? "\n";
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
    const found = this.document.resolve(block.address.path);
    if (!found.ok) return err({ code: "unresolved-path", message: pathErrorMessage(found.error) });
    const element = found.value;
    const { text } = this.document;
    if (block.op === "remove") {
      if (element.path === "@file" || element.path === "@imports") return err({ code: "not-removable", path: element.path });
      const close = (lines: readonly string[]) => this.close({ block, element, slot: null }, lines);
      const replaced = { start: element.commentStart, elementStart: element.range.start, end: element.range.end };
      return ok({ growth: null, oldText: text.slice(element.commentStart, element.range.end), replaced, close });
    }
    const slot = astSlot(this.document, element, block.op, this.eol);
    if (!slot.ok) return slot;
    const close = (lines: readonly string[]) => this.close({ block, element, slot: slot.value }, lines);
    const { range, before, after, eol } = slot.value;
    const indent = slot.value.inline ? "" : slot.value.indent;
    const oldText = text.slice(range.start, range.end);
    const growth = { text, range, before, after, terminated: false, indent, eol };
    if (!replaces(block)) return ok({ growth, oldText: "", close });
    const from = block.op === "with-comment" ? element.commentStart : element.range.start;
    return ok({ growth, oldText, replaced: { start: from, elementStart: from, end: element.separatorStart }, close });
  }

  finish(): ReadonlySet<string> {
    return this.document.errorCount() === 0 ? new Set() : this.breaking;
  }

  private close(opened: Opened, lines: readonly string[]): Result<BlockEffect, BlockReason> {
    const edit = this.editOf(opened, lines);
    if (!edit.ok) return edit;
    const { blockId, op } = opened.block;
    const errors = this.document.errorCount();
    const made = this.make(edit.value, opened.element, op, errors);
    this.track(blockId, made);
    const addsSyntaxError = this.soundBefore && errors === 0 && this.document.errorCount() > 0;
    if (addsSyntaxError) this.breaking.add(blockId);
    return ok({ addsSyntaxError, clashes: [] });
  }

  private editOf({ block, element, slot }: Opened, lines: readonly string[]): Result<PlacedEdit, BlockReason> {
    const empty = lines.every((line) => line.trim() === "");
    if (!slot || (empty && replaces(block))) {
      if (element.range.start === element.range.end) return err({ code: "empty-body" });
      const others = [...element.sharedWith];
      if (others.length > 0) return err({ code: "shared-declaration", path: element.path, others });
      const edit = astRemoval(this.document, element, slot === null || block.op === "with-comment");
      return ok({ ...edit, written: { start: edit.start, end: edit.start } });
    }
    if (empty) return err({ code: "empty-body" });
    const { range, newText, written } = fillSlot(slot, lines);
    return ok({ ...range, newText, written });
  }

  /** Makes the edit. If it causes more than `errors` syntax errors, tries it with a comma between members. */
  private make(edit: PlacedEdit, element: SyntaxElement, op: DraftBlock["op"], errors: number): PlacedEdit {
    const { text } = this.document;
    this.apply(edit);
    if (this.document.errorCount() <= errors) return edit;
    let current: TextEdit = edit;
    for (const variant of [...withSeparators(text, edit, element, op), edit]) {
      this.document.edit({ start: current.start, end: current.start + current.newText.length }, text.slice(current.start, current.end));
      this.apply(variant);
      current = variant;
      if (this.document.errorCount() <= errors || variant === edit) {
        const shift = variant === edit ? 0 : variant.newText.indexOf(edit.newText) + variant.start - edit.start;
        const written = { start: edit.written.start + Math.max(0, shift), end: edit.written.end + Math.max(0, shift) };
        return { ...variant, written };
      }
    }
    return edit;
  }

  private apply(edit: TextEdit): void {
    this.document.edit({ start: edit.start, end: edit.end }, edit.newText);
  }

  private track(blockId: string, edit: PlacedEdit): void {
    const before = this.document.text.length - edit.newText.length + (edit.end - edit.start);
    const changes = changesOf([edit], before);
    const moved = [...this.tracked].map(([id, range]) => {
      const start = changes.mapPos(range.start, range.start === edit.start && range.end >= edit.end ? -1 : 1);
      return [id, { start, end: Math.max(start, changes.mapPos(range.end, range.end === edit.start ? -1 : 1)) }] as const;
    });
    this.tracked = new Map([...moved, [blockId, edit.written]]);
  }
}

function replaces(block: DraftBlock): boolean {
  return block.op === "replace" || block.op === "with-comment";
}
