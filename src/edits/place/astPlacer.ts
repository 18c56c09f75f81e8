import { err, ok, type Result } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import { lineEnd, lineStart, type OffsetRange, skipSpace } from "../../base/text/scan.ts";
import type { OutlineEntry, SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import { type BlockReason, excerpt } from "../../turns/blockReason.ts";
import type { AddressedLines, Block, EditOp, WrittenBody } from "../block.ts";
import { countChangedLines, type PlacedEdit, trackEdit } from "../text/changeSet.ts";
import { type FileLines, fileLines } from "../text/fileLines.ts";
import { checksFit, squeezed } from "../text/lineChecks.ts";
import { astRemoval } from "./astRemoval.ts";
import { editMembers } from "./astSeparators.ts";
import { type AstSlot, astSlot, belowSlot, fillSlot } from "./astSlot.ts";
import { type EarlierEdit, innerLines, innerLinesEdit } from "./innerLines.ts";
import { insertBlock } from "./insertBlock.ts";
import type { BlockEffect, Placement, Placer, WholeEffect } from "./placer.ts";
import { indentSoFar, oldLines, rewriteElement, type SlotBody } from "./rewriteElement.ts";
import { aroundRange, StreamingText } from "./streamingText.ts";
import { type BlockChange, wholeEffect } from "./wholeEffect.ts";

/** AST mode: each block changes the shadow text as it closes, so later ones see earlier ones. */
export class AstPlacer implements Placer {
  private readonly document: SyntaxDocument;
  private readonly soundBefore: boolean;
  private readonly breaking = new Set<string>();
  /** What each block did, but for removals. */
  private readonly changes = new Map<string, BlockChange>();
  private readonly earlier: EarlierEdit[] = [];
  /** What blocks replaced, by their ids. */
  private readonly oldTexts = new Map<string, { readonly target: string; readonly old: string }>();
  /** The blocks that inserted something, by its place and text. */
  private readonly inserted = new Map<string, string>();
  /** The blocks that inserted something right after an element, or before its members, in order. */
  private readonly insertedAt = new Map<string, string[]>();
  private readonly snapshot: FileLines;
  private readonly outline: readonly OutlineEntry[];
  private tracked: ReadonlyMap<string, OffsetRange> = new Map();
  private readonly isNamed: (word: string) => boolean;

  /** `document` holds the snapshot, its paths pinned. `isNamed`: the answer has a word as code. */
  constructor(document: SyntaxDocument, isNamed: (word: string) => boolean = () => false) {
    this.document = document;
    this.isNamed = isNamed;
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

  open(block: Block): Result<Placement, BlockReason> {
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
    const unfit = unfitElement(text, element, block.checks);
    if (unfit) return err(unfit);
    if (block.op === "remove") {
      if (element.path === "@file" || element.path === "@imports")
        return err({ code: "not-removable", path: element.path });
      const close = ({ lines }: WrittenBody) => this.close(block, element, null, lines);
      const replaced = {
        start: element.commentStart,
        elementStart: element.range.start,
        end: element.range.end,
      };
      return ok({
        growing: null,
        oldText: text.slice(element.commentStart, element.range.end),
        replaced,
        path: element.path,
        close,
      });
    }
    const slot = this.slotOf(element, block.op);
    if (!slot.ok) return slot;
    const close = ({ lines }: WrittenBody) => this.close(block, element, slot.value, lines);
    const { range, before, after, eol } = slot.value;
    const oldText = text.slice(range.start, range.end);
    const shift = indentSoFar(slot.value, text, replaces(block) ? oldLines(text, element) : []);
    const growing = new StreamingText({
      ...aroundRange(text, range),
      before,
      after,
      terminated: false,
      shift,
      eol,
    });
    if (!replaces(block)) return ok({ growing, oldText: "", path: element.path, close });
    const from = block.op === "with-comment" ? element.commentStart : element.range.start;
    return ok({
      growing,
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
    const { document, outline, snapshot } = this;
    const isSound = document.errorCount() === 0;
    const effect = wholeEffect(
      { outline, text: snapshot.text },
      document,
      this.changes,
      this.tracked,
    );
    // In a broken text an element may seem to stand twice.
    return isSound
      ? { addsSyntaxError: new Set(), ...effect }
      : { addsSyntaxError: this.breaking, ...effect, doubles: new Map() };
  }

  /** Where an operation's lines go: below those of earlier blocks at the same place. */
  private slotOf(element: SyntaxElement, op: EditOp): Result<AstSlot, BlockReason> {
    const { document, snapshot } = this;
    const last = this.lastInserted(element, op);
    return last
      ? ok(belowSlot(document, element, last, snapshot.eol))
      : astSlot(document, element, op, snapshot.eol);
  }

  /** The last lines that earlier blocks inserted there, one after the other; null for none. */
  private lastInserted(element: SyntaxElement, op: EditOp): OffsetRange | null {
    const { text } = this.document;
    let end = op === "after" ? element.range.end : element.body?.inner.start;
    let last: OffsetRange | null = null;
    for (const blockId of this.insertedAt.get(`${op} ${element.path}`) ?? []) {
      last = this.tracked.get(blockId) ?? null;
      if (last === null || end === undefined) return null;
      const code = this.document.codeAround(skipSpace(text, last.start, last.end)).before?.at ?? 0;
      if (!/^[,;\s]*$/.test(text.slice(end, code))) return null;
      ({ end } = last);
    }
    return last;
  }

  /** The one element of the snapshot that a path, or its end, names; null for none or several. */
  private shown(path: string): OutlineEntry | null {
    const exact = this.outline.filter((entry) => entry.path === path);
    const found =
      exact.length > 0 ? exact : this.outline.filter((entry) => entry.path.endsWith(`-${path}`));
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  /** Lines inside an element, null where they are known to be inside, with a body as written. */
  private openLines(
    block: Block,
    element: SyntaxElement | null,
    lines: AddressedLines,
  ): Result<Placement, BlockReason> {
    const { text } = this.document;
    const { op } = block;
    const found = innerLines(this.snapshot, lines, op, this.earlier, text, element);
    if (!found.ok) return found;
    const { start, end, eol, before, after, neighbors } = found.value;
    const inserts = op === "before" || op === "after";
    const old = text.slice(start, end);
    // The last line may be blank, and counts all the same.
    const oldText = inserts ? "" : old + eol;
    const close = ({ lines: body }: WrittenBody): Result<BlockEffect, BlockReason> => {
      if (inserts && body.length === 0) return err({ code: "empty-body" });
      const edit = innerLinesEdit(text, found.value, op === "remove" ? [] : body);
      const errors = this.document.errorCount();
      this.document.edit(edit, edit.newText);
      if (!inserts)
        this.changes.set(block.blockId, {
          replaced: { ...lines, texts: old.split(/\r\n|\n|\r/) },
        });
      return ok(this.made(block, edit, { text, errors }));
    };
    if (op === "remove") return ok({ growing: null, oldText, neighbors, close });
    const growing = new StreamingText({
      ...aroundRange(text, { start, end }),
      before,
      after,
      terminated: false,
      eol,
    });
    return ok({ growing, oldText, neighbors, close });
  }

  /** `slot` is null for a removal. */
  private close(
    block: Block,
    element: SyntaxElement,
    slot: AstSlot | null,
    lines: readonly string[],
  ): Result<BlockEffect, BlockReason> {
    const misaddressed = this.misaddressed(block, element, lines);
    if (misaddressed) return err(misaddressed);
    const empty = lines.every((line) => line.trim() === "");
    if (!slot || (empty && replaces(block))) return this.remove(block, element, slot);
    if (empty) return err({ code: "empty-body" });
    const { document } = this;
    const undone = replaces(block) ? this.undoneBlock(element, lines) : null;
    if (undone !== null) return err({ code: "changed-by-earlier-block", target: undone });
    const [text, errors] = [document.text, document.errorCount()];
    const place = `${block.target} ${element.path} ${block.op} ${lines.join("\n")}`;
    if (!replaces(block) && this.holds(this.inserted.get(place), lines))
      return err({ code: "repeated-block" });
    const written = this.write(block, element, slot, lines);
    if (!written.ok) return written;
    const { fitted, edit } = written.value;
    if (replaces(block)) this.changes.set(block.blockId, { element: element.path });
    else {
      this.changes.set(block.blockId, { into: isMember(block.op) ? element.path : null });
      this.inserted.set(place, block.blockId);
    }
    if (block.op === "after" || block.op === "prepend") {
      const key = `${block.op} ${element.path}`;
      this.insertedAt.set(key, [...(this.insertedAt.get(key) ?? []), block.blockId]);
    }
    const effect = this.made(block, edit, { text, errors });
    const warnings = [...(effect.warnings ?? []), ...fitted.warnings];
    return ok({ ...effect, warnings, adjustments: fitted.adjustments });
  }

  /** The address of an earlier block inside an element that a body for all of it takes back. */
  private undoneBlock({ path, range }: SyntaxElement, lines: readonly string[]): string | null {
    const body = squeezed(lines.join(""));
    for (const [blockId, { target, old }] of this.oldTexts) {
      const now = this.tracked.get(blockId);
      const isInside = now && range.start <= now.start && now.end <= range.end;
      if (!isInside || this.changes.get(blockId)?.element === path) continue;
      const before = squeezed(old);
      const written = squeezed(this.document.text.slice(now.start, now.end));
      const isKept = written === before || (written !== "" && body.includes(written));
      if (!isKept && body.includes(before)) return target;
    }
    return null;
  }

  /** Writes a body, without what was kept of the old head where that breaks the syntax. */
  private write(
    block: Block,
    element: SyntaxElement,
    slot: AstSlot,
    lines: readonly string[],
  ): Result<{ readonly fitted: SlotBody; readonly edit: PlacedEdit }, BlockReason> {
    const { document } = this;
    const errors = document.errorCount();
    const put = (fitted: SlotBody) => {
      const { text } = document;
      const filled = fillSlot(document, fitted.slot, fitted.lines);
      const edit = editMembers(document, filled, element, block.op, errors);
      return { fitted, edit, old: text.slice(edit.start, edit.end) };
    };
    const { op } = block;
    const placed = { op, slot, lines, adjustments: [], warnings: [] };
    if (op !== "replace" && op !== "with-comment") {
      if (op === "remove" || op === "complete") return err({ code: "empty-body" });
      const fitted = insertBlock(document, element, { ...placed, op });
      return fitted.ok ? ok(put(fitted.value)) : fitted;
    }
    const rewritten = (isNamed: (word: string) => boolean) =>
      put(rewriteElement(document, element, placed, this.snapshot.eol, isNamed));
    const first = rewritten(this.isNamed);
    if (
      document.errorCount() <= errors ||
      !first.fitted.adjustments.some(({ code }) => code === "kept-head")
    )
      return ok(first);
    const undo = ({ edit, old }: ReturnType<typeof put>) =>
      document.edit({ start: edit.start, end: edit.start + edit.newText.length }, old);
    undo(first);
    const asWritten = rewritten(() => true);
    if (document.errorCount() <= errors) return ok(asWritten);
    undo(asWritten);
    return ok(rewritten(this.isNamed));
  }

  /** True where the text that an earlier block inserted is still there. */
  private holds(blockId: string | undefined, lines: readonly string[]): boolean {
    const range = blockId === undefined ? undefined : this.tracked.get(blockId);
    return (
      range !== undefined &&
      squeezed(this.document.text.slice(range.start, range.end)).includes(squeezed(lines.join("")))
    );
  }

  private remove(
    block: Block,
    element: SyntaxElement,
    slot: AstSlot | null,
  ): Result<BlockEffect, BlockReason> {
    const { document } = this;
    if (element.range.start === element.range.end) return err({ code: "empty-body" });
    const others = [...element.sharedWith];
    if (others.length > 0) return err({ code: "shared-declaration", path: element.path, others });
    const [text, errors] = [document.text, document.errorCount()];
    const removal = astRemoval(document, element, slot === null || block.op === "with-comment");
    return ok(
      this.made(block, editMembers(document, removal, element, block.op, errors), { text, errors }),
    );
  }

  /** Why the body shows that the path means another element, as a prototype's does. */
  private misaddressed(
    { address, op }: Block,
    element: SyntaxElement,
    body: readonly string[],
  ): BlockReason | null {
    if (address?.kind !== "ast" || address.path === element.path || op === "remove") return null;
    const meant = this.document.resolve(address.path, body);
    if (!meant.ok) return { code: "unresolved-path", error: meant.error };
    return meant.value.path === element.path
      ? null
      : { code: "other-element", path: address.path, meant: meant.value.path };
  }

  /** Remembers an edit that has been made, with the text and its number of errors before. */
  private made(
    { blockId, target }: Block,
    edit: PlacedEdit,
    { text, errors }: { readonly text: string; readonly errors: number },
  ): BlockEffect {
    this.tracked = trackEdit(this.tracked, blockId, edit, this.document.text);
    this.oldTexts.set(blockId, { target, old: text.slice(edit.start, edit.end) });
    this.earlier.push({ start: edit.start, end: edit.end, newText: edit.newText, target });
    const addsSyntaxError = this.soundBefore && errors === 0 && this.document.errorCount() > 0;
    if (addsSyntaxError) this.breaking.add(blockId);
    const warnings = addsSyntaxError ? [{ code: "syntax" as const }] : [];
    return { ...countChangedLines(text, this.document.text), warnings };
  }
}

/** The reason where checks fit neither the element nor the element with its comment. */
function unfitElement(
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

function isMember(op: EditOp): boolean {
  return op === "append" || op === "prepend";
}

function replaces(block: Block): boolean {
  return block.op === "replace" || block.op === "with-comment";
}
