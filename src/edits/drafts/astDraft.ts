import { err, ok, type Result } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import { lineEnd, lineStart, nextLine, type OffsetRange } from "../../base/text/scan.ts";
import type { OutlineEntry, SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { doubledElements } from "../elements/doubledElements.ts";
import { losesKind, lostMembers } from "../elements/lostMembers.ts";
import { countNames, unnumbered } from "../elements/pathNames.ts";
import { changesOf, countChangedLines, type PlacedEdit, type TextEdit } from "../text/changeSet.ts";
import { excerpt } from "../text/excerpt.ts";
import { checksFit, squeezed } from "../text/lineChecks.ts";
import type { AddressedLines } from "./address.ts";
import { astRemoval } from "./astRemoval.ts";
import { withSeparators } from "./astSeparators.ts";
import { type AstSlot, astSlot, fillSlot } from "./astSlot.ts";
import { cutElements, type ReplacedLines } from "./cutElements.ts";
import type { BlockEffect, Draft, DraftBlock, OpenedPlace, WholeEffect } from "./draft.ts";
import { mayChangeNames, replacementWarnings } from "./elementNames.ts";
import { type EarlierEdit, innerLines, innerLinesEdit } from "./innerLines.ts";
import { insertBlock } from "./insertBlock.ts";
import { type FileLines, fileLines } from "./lineChange.ts";
import { type FittedBlock, indentSoFar, oldLines, rewriteElement } from "./rewriteElement.ts";
import { aroundRange } from "./streamingText.ts";

interface Opened {
  readonly block: DraftBlock;
  readonly element: SyntaxElement;
  /** Null for a removal. */
  readonly slot: AstSlot | null;
}

type Writing = Opened & { readonly slot: AstSlot };

/** A body in its slot, the edit that wrote it, and what that replaced. */
interface Written {
  readonly fitted: FittedBlock;
  readonly edit: PlacedEdit;
  readonly old: string;
}

/**
 * AST mode: each block is resolved and applied to the shadow text as it closes, so later blocks see
 * earlier ones. The outline's paths keep the meaning they had in the snapshot.
 */
export class AstDraft implements Draft {
  private readonly document: SyntaxDocument;
  private readonly soundBefore: boolean;
  private readonly breaking = new Set<string>();
  /** The lines of the snapshot that each block replaced. */
  private readonly replacedLines = new Map<string, ReplacedLines>();
  private readonly earlier: EarlierEdit[] = [];
  /** The elements that blocks replaced, by their paths. */
  private readonly replacedElements = new Map<string, string>();
  /** The insertions by their place and text; `into` is the element that got members. */
  private readonly inserted = new Map<
    string,
    { readonly blockId: string; readonly into: string | null }
  >();
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
    if (lines && known && known.startLine <= lines.start && lines.end <= known.endLine)
      return this.openLines(block, null, lines);
    const found = this.document.resolve(path);
    if (!found.ok) return err({ code: "unresolved-path", error: found.error });
    const element = found.value;
    const { text } = this.document;
    if (lines) return this.openLines(block, element, lines);
    const unfit = unfitChecks(text, element, block.checks ?? []);
    if (unfit) return err(unfit);
    if (block.op === "remove") {
      if (element.path === "@file" || element.path === "@imports")
        return err({ code: "not-removable", path: element.path });
      const close = (lines: readonly string[]) => this.close({ block, element, slot: null }, lines);
      const replaced = {
        start: element.commentStart,
        elementStart: element.range.start,
        end: element.range.end,
      };
      return ok({
        growth: null,
        oldText: text.slice(element.commentStart, element.range.end),
        replaced,
        path: element.path,
        close,
      });
    }
    const slot = astSlot(this.document, element, block.op, this.snapshot.eol);
    if (!slot.ok) return slot;
    const close = (lines: readonly string[]) =>
      this.close({ block, element, slot: slot.value }, lines);
    const { range, before, after, eol } = slot.value;
    const oldText = text.slice(range.start, range.end);
    const shift = indentSoFar(slot.value, text, replaces(block) ? oldLines(text, element) : []);
    const growth = { ...aroundRange(text, range), before, after, terminated: false, shift, eol };
    if (!replaces(block)) return ok({ growth, oldText: "", path: element.path, close });
    const from = block.op === "with-comment" ? element.commentStart : element.range.start;
    return ok({
      growth,
      oldText,
      replaced: {
        start: from,
        elementStart: from,
        end: element.separatorStart,
        isSection: element.path === "@imports",
      },
      path: element.path,
      close,
    });
  }

  finish(): WholeEffect {
    const { document } = this;
    const addsSyntaxError = document.errorCount() === 0 ? new Set<string>() : this.breaking;
    const isNeedless =
      this.replacedLines.size + this.replacedElements.size + this.inserted.size === 0;
    if (isNeedless) return { addsSyntaxError, cuts: new Map() };
    const outline = document.outline();
    const cutBy = cutElements(this.outline, outline);
    const lines = textLines(document.text);
    const [before, after] = [
      { outline: this.outline, lines: textLines(this.snapshot.text) },
      { outline, lines },
    ];
    const lost = lostMembers(before, after);
    const starts = lineStarts(document.text);
    const linesOf = (blockId: string) => {
      const { start, end } = this.tracked.get(blockId) ?? { start: 0, end: 0 };
      return {
        first: lineAt(starts, start) + 1,
        last: lineAt(starts, Math.max(start, end - 1)) + 1,
      };
    };
    const cuts = [...this.replacedLines].flatMap(([blockId, lines]) =>
      entryOf(blockId, cutBy(lines, linesOf(blockId))),
    );
    const losses = [...this.replacedElements].flatMap(([blockId, path]) =>
      entryOf(blockId, lost(path, linesOf(blockId))),
    );
    const doubledBy = doubledElements({
      before: this.outline,
      after: outline,
      lines,
      language: document.language,
    });
    const inserted = document.errorCount() > 0 ? [] : [...this.inserted.values()];
    const doubles = inserted.flatMap(({ blockId, into }) =>
      entryOf(blockId, doubledBy(linesOf(blockId), into)),
    );
    const gone = [...this.replacedElements].filter(([blockId, path]) =>
      losesKind(before, after, path, linesOf(blockId)),
    );
    const [then, now] = [countNames(this.outline), countNames(outline)];
    const countChange = (path: string) =>
      (now.get(unnumbered(path))?.count ?? 0) - (then.get(unnumbered(path))?.count ?? 0);
    return {
      addsSyntaxError,
      cuts: new Map(cuts),
      countChange,
      gone: new Map(gone),
      losses: new Map(losses),
      doubles: new Map(doubles),
    };
  }

  /** The one element of the snapshot that a path, or its end, names; null for none or several. */
  private shown(path: string): OutlineEntry | null {
    const exact = this.outline.filter((entry) => entry.path === path);
    const found =
      exact.length > 0 ? exact : this.outline.filter((entry) => entry.path.endsWith(`-${path}`));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /**
   * Lines of the snapshot inside an element, null where they are known to be inside. Their body is
   * taken as written.
   */
  private openLines(
    block: DraftBlock,
    element: SyntaxElement | null,
    lines: AddressedLines,
  ): Result<OpenedPlace, BlockReason> {
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
      if (!inserts)
        this.replacedLines.set(block.blockId, { ...lines, texts: old.split(/\r\n|\n|\r/) });
      return ok(this.made(block, edit, { text, errors }));
    };
    if (op === "remove") return ok({ growth: null, oldText, neighbors, close });
    const growth = {
      ...aroundRange(text, { start, end }),
      before,
      after,
      terminated: false,
      shift: null,
      eol,
    };
    return ok({ growth, oldText, neighbors, close });
  }

  private close(opened: Opened, lines: readonly string[]): Result<BlockEffect, BlockReason> {
    const misaddressed = this.misaddressed(opened, lines);
    if (misaddressed) return err(misaddressed);
    const { block, element, slot } = opened;
    const empty = lines.every((line) => line.trim() === "");
    if (!slot || (empty && replaces(block))) return this.remove(opened);
    if (empty) return err({ code: "empty-body" });
    const { document } = this;
    const [text, errors] = [document.text, document.errorCount()];
    const oldText = document.text.slice(element.range.start, element.range.end);
    const compares = replaces(block) && mayChangeNames(element.path, lines);
    const before = compares ? countNames(document.outline()) : null;
    const place = `${block.target} ${element.path} ${block.op} ${lines.join("\n")}`;
    if (!replaces(block) && this.holds(this.inserted.get(place)?.blockId, lines))
      return err({ code: "repeated-block" });
    const written = this.write({ block, element, slot }, lines, errors);
    if (!written.ok) return written;
    const { fitted, edit } = written.value;
    if (replaces(block)) this.replacedElements.set(block.blockId, element.path);
    else
      this.inserted.set(place, {
        blockId: block.blockId,
        into: isMember(block.op) ? element.path : null,
      });
    const effect = this.made(block, edit, { text, errors });
    const after = before && countNames(document.outline());
    const replaced = after
      ? replacementWarnings(element.path, oldText, lines.join("\n"), before, after)
      : [];
    const isLost = replaced.some(({ code }) => code === "loses-element");
    const own = isLost
      ? fitted.warnings.filter(({ code }) => code !== "loses-head")
      : fitted.warnings;
    return ok({ ...effect, warnings: [...own, ...replaced], adjustments: fitted.adjustments });
  }

  /**
   * Writes a body. Where it breaks the syntax with what was kept of the old head, it is written
   * without.
   */
  private write(
    { block, element, slot }: Writing,
    lines: readonly string[],
    errors: number,
  ): Result<Written, BlockReason> {
    const { document } = this;
    const put = (fitted: FittedBlock): Written => {
      const { text } = document;
      const edit = this.make(
        fillSlot(document, fitted.slot, fitted.lines),
        element,
        block.op,
        errors,
      );
      return { fitted, edit, old: text.slice(edit.start, edit.end) };
    };
    const { op } = block;
    if (op !== "replace" && op !== "with-comment") {
      if (op === "remove") return err({ code: "empty-body" });
      const fitted = insertBlock(document, element, { op, slot, lines });
      return fitted.ok ? ok(put(fitted.value)) : fitted;
    }
    const rewritten = (isNamed: (word: string) => boolean) =>
      put(rewriteElement(document, element, { op, slot, lines }, this.snapshot.eol, isNamed));
    const first = rewritten((word) => block.isNamed?.(word) ?? false);
    if (
      document.errorCount() <= errors ||
      !first.fitted.adjustments.some(({ code }) => code === "kept-head")
    )
      return ok(first);
    const undo = ({ edit, old }: Written) =>
      document.edit({ start: edit.start, end: edit.start + edit.newText.length }, old);
    undo(first);
    const asWritten = rewritten(() => true);
    if (document.errorCount() <= errors) return ok(asWritten);
    undo(asWritten);
    return ok(rewritten((word) => block.isNamed?.(word) ?? false));
  }

  /** True where the text that an earlier block inserted is still there. */
  private holds(blockId: string | undefined, lines: readonly string[]): boolean {
    const range = blockId === undefined ? undefined : this.tracked.get(blockId);
    return (
      range !== undefined &&
      squeezed(this.document.text.slice(range.start, range.end)).includes(squeezed(lines.join("")))
    );
  }

  private remove({ block, element, slot }: Opened): Result<BlockEffect, BlockReason> {
    const { document } = this;
    if (element.range.start === element.range.end) return err({ code: "empty-body" });
    const others = [...element.sharedWith];
    if (others.length > 0) return err({ code: "shared-declaration", path: element.path, others });
    const [text, errors] = [document.text, document.errorCount()];
    const removal = astRemoval(document, element, slot === null || block.op === "with-comment");
    return ok(this.made(block, this.make(removal, element, block.op, errors), { text, errors }));
  }

  /**
   * Why a path stands for another element than the one it took, now that the body is known: a
   * prototype, not the definition.
   */
  private misaddressed(
    { block: { address, op }, element }: Opened,
    body: readonly string[],
  ): BlockReason | null {
    if (address?.kind !== "ast" || address.path === element.path || op === "remove") return null;
    const meant = this.document.resolve(address.path, { body });
    if (!meant.ok) return { code: "unresolved-path", error: meant.error };
    return meant.value.path === element.path
      ? null
      : { code: "other-element", path: address.path, meant: meant.value.path };
  }

  /** Remembers an edit that has been made, with the text and its number of errors before. */
  private made(
    { blockId, target }: DraftBlock,
    edit: PlacedEdit,
    { text, errors }: { readonly text: string; readonly errors: number },
  ): BlockEffect {
    this.track(blockId, edit);
    this.earlier.push({ start: edit.start, end: edit.end, newText: edit.newText, target });
    const addsSyntaxError = this.soundBefore && errors === 0 && this.document.errorCount() > 0;
    if (addsSyntaxError) this.breaking.add(blockId);
    return { addsSyntaxError, ...countChangedLines(text, this.document.text), clashes: [] };
  }

  /**
   * Makes the edit. If it causes more than `errors` syntax errors, tries it with a comma between
   * members.
   */
  private make(
    edit: PlacedEdit,
    element: SyntaxElement,
    op: DraftBlock["op"],
    errors: number,
  ): PlacedEdit {
    const { text } = this.document;
    this.document.edit(edit, edit.newText);
    if (this.document.errorCount() <= errors) return edit;
    let current: TextEdit = edit;
    for (const variant of [...withSeparators(text, edit, element, op), edit]) {
      this.document.edit(
        { start: current.start, end: current.start + current.newText.length },
        text.slice(current.start, current.end),
      );
      this.document.edit(variant, variant.newText);
      current = variant;
      if (this.document.errorCount() <= errors || variant === edit) {
        const shift =
          variant === edit ? 0 : variant.newText.indexOf(edit.newText) + variant.start - edit.start;
        const written = {
          start: edit.written.start + Math.max(0, shift),
          end: edit.written.end + Math.max(0, shift),
        };
        return { ...variant, written };
      }
    }
    return edit;
  }

  private track(blockId: string, edit: PlacedEdit): void {
    const before = this.document.text.length - edit.newText.length + (edit.end - edit.start);
    const changes = changesOf([edit], before);
    const { text } = this.document;
    // Lines that follow others begin with the line break that those end with.
    const added = edit.start + edit.newText.length;
    const isBelow = ({ start, end }: OffsetRange) =>
      edit.start === edit.end &&
      start < edit.start &&
      end === edit.start + nextLine(text, added) - added &&
      lineEnd(text, added) === added &&
      lineEnd(text, edit.start) === edit.start;
    const moved = [...this.tracked].map(([id, range]) => {
      const start = changes.mapPos(
        range.start,
        range.start === edit.start && range.end >= edit.end ? -1 : 1,
      );
      const end = isBelow(range)
        ? nextLine(text, edit.start)
        : Math.max(start, changes.mapPos(range.end, range.end === edit.start ? -1 : 1));
      return [id, { start, end }] as const;
    });
    const { start, end } = edit.written;
    // With the line break: what was removed right below its last line is the block's, too.
    const endsLine = start < end && lineEnd(text, end) === end;
    this.tracked = new Map([
      ...moved,
      [blockId, { start, end: endsLine ? nextLine(text, end) : end }],
    ]);
  }
}

/** The reason where checks fit neither the element nor the element with its comment. */
function unfitChecks(
  text: string,
  { range, commentStart }: SyntaxElement,
  checks: readonly string[],
): BlockReason | null {
  if (checks.length === 0) return null;
  const lines = text.slice(lineStart(text, range.start), range.end).split(/\r\n|\n|\r/);
  const comment = text.slice(commentStart, lineEnd(text, commentStart));
  if (checksFit(lines[0], lines.at(-1), checks) || checksFit(comment, lines.at(-1), checks))
    return null;
  return { code: "checks-failed", first: lineNumberAt(text, range.start), lines: excerpt(lines) };
}

function entryOf<T>(blockId: string, found: T | null): (readonly [string, T])[] {
  return found === null ? [] : [[blockId, found]];
}

function textLines(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

function isMember(op: DraftBlock["op"]): boolean {
  return op === "append" || op === "prepend";
}

function replaces(block: DraftBlock): boolean {
  return block.op === "replace" || block.op === "with-comment";
}
