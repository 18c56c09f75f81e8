import { type FenceEvent, FenceScanner, type UnclearBody } from "../../base/text/fenceScanner.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { BlockWarning, Proposal } from "../../ports/review.ts";
import { isTooLargeForOutline } from "../../syntax/outlineUnavailable.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { type Address, linesOf, withLines } from "../drafts/address.ts";
import { createDraft } from "../drafts/createDraft.ts";
import type { Draft, OpenedPlace } from "../drafts/draft.ts";
import { frozenDraft } from "../drafts/frozenDraft.ts";
import { type StreamingMoment, StreamingText } from "../drafts/streamingText.ts";
import { findElision } from "../guards/findElision.ts";
import { withoutFileName } from "../text/fileNames.ts";
import type { ProvenEnds } from "../text/lineChecks.ts";
import { withoutLineNumbers } from "../text/lineNumbers.ts";
import { SpokenText } from "../text/spokenText.ts";
import { BlockGuards } from "./blockGuards.ts";
import {
  type BlockAdjustment,
  type BlockFailure,
  type CapturedBlock,
  openedBlock,
} from "./capturedBlock.ts";
import { type AddressFormat, type CaptureOptions, modeOf } from "./captureOptions.ts";
import { EditedFile } from "./editedFile.ts";
import { linesAround, linesOfText } from "./linesAround.ts";
import { formOfBody, otherForms } from "./otherForms.ts";
import { type AddressOpener, parseOpener, targetOf } from "./parseOpener.ts";
import { proposalOf } from "./proposalOf.ts";
import { repairBody } from "./repairBody.ts";
import { resolveLineAddress } from "./resolveLineAddress.ts";
import { shownPaths } from "./shownPaths.ts";
import { type ViewedElements, viewedElements } from "./viewedElements.ts";
import { WholeFileChoice } from "./wholeFileChoice.ts";

/** The block that the scanner is in. */
interface OpenBlock {
  readonly block: CapturedBlock;
  /** Which ends of its lines are certain; null for an element. */
  readonly proven: ProvenEnds | null;
  /** In the snapshot; null for the whole file, and while there is no place. */
  readonly address: Address | null;
  /** Null where the block has none. */
  readonly place: OpenedPlace | null;
  readonly growing: StreamingText | null;
  /** What speaks against the block before its body is known. */
  readonly warnings: readonly BlockWarning[];
}

/**
 * Captures edit blocks from the streaming text and puts them into a draft of the file. Independent
 * of the editor; synchronous.
 */
export class BlockCapture {
  private readonly options: CaptureOptions;
  /** The file as the session finds it. */
  readonly file: EditedFile;
  /** Null where the model has seen all of the file. */
  private readonly viewed: ViewedElements | null;
  private readonly spoken = new SpokenText();
  private readonly guards: BlockGuards;
  private shownPath: ReturnType<typeof shownPaths> = () => null;
  private scanner: FenceScanner;
  private draft: Draft | null = null;
  private current: OpenBlock | null = null;
  private lastGrowth: { readonly growing: StreamingText; readonly growth: StreamingMoment } | null =
    null;
  private step = 0;
  private bodyHasCrlf = false;
  private whole = new WholeFileChoice();
  private captured: CapturedBlock[] = [];
  private activeMode: AddressFormat;

  constructor(options: CaptureOptions) {
    this.options = options;
    this.file = new EditedFile(options.text, options.document);
    this.guards = new BlockGuards(this.file, options.path, this.spoken);
    this.viewed = options.views ? viewedElements(this.file.text, options.views) : null;
    this.activeMode = options.completeFile ? "complete" : modeOf(options.useLineNumbers);
    this.scanner = new FenceScanner(options.claims.markdownOf);
  }

  get mode(): AddressFormat {
    return this.activeMode;
  }

  /** Every block so far, in the order of the text. */
  get blocks(): readonly CapturedBlock[] {
    return this.captured;
  }

  /** A message of the model begins; `step` is its number in the turn. */
  startMessage(step: number): void {
    this.scanner = new FenceScanner(this.options.claims.markdownOf);
    this.current = null;
    this.step = step;
    if (this.spoken.message(step) !== "") this.spoken.add(step, "\n");
  }

  /** Takes a piece of the text. True when the proposal may have changed. */
  push(chunk: string): boolean {
    this.spoken.add(this.step, chunk);
    return this.take(this.scanner.push(chunk));
  }

  /**
   * The message is over: complete, cut at its length limit, or broken off. Where it was cut, its
   * last line may be incomplete.
   */
  endMessage(how: "whole" | "length" | "broken-off"): void {
    this.take(this.scanner.flush(how !== "whole"), how === "length" ? "length-limit" : "unclosed");
    if (how !== "broken-off") this.refuseOtherForms();
  }

  /** True when there is something to show in {@link proposal}. */
  get proposes(): boolean {
    return (
      this.current?.growing != null ||
      this.captured.some(({ status }) => status === "captured" || status === "pending")
    );
  }

  /** The text proposed so far, with the complete lines of the block that is being written. */
  proposal(): Proposal {
    const growing = this.current?.growing ?? null;
    const growth = growing?.now() ?? null;
    const last = this.lastGrowth;
    this.lastGrowth = growing && growth && { growing, growth };
    const step = growing?.since(last?.growing === growing ? last.growth : null);
    return { ...this.proposalWith(growth), ...(step && this.file.bom === "" && { change: step }) };
  }

  /** The same without the block that is being written. */
  completeProposal(): Proposal {
    return this.proposalWith(null);
  }

  private proposalWith(growth: StreamingMoment | null): Proposal {
    const written = growth && { ...growth, blockId: this.current?.block.blockId ?? "" };
    return proposalOf(this.captured, this.draft, this.file, written);
  }

  /** Everything is in: checks the syntax of the whole. Afterwards the captured blocks are final. */
  finish(): void {
    const captured = this.captured.filter(({ status }) => status === "captured");
    const warningsOf = this.guards.ofAll(captured, this.draft);
    for (const block of captured) {
      const warnings = warningsOf(block);
      if (JSON.stringify(warnings) === JSON.stringify(block.warnings)) continue;
      block.warnings = warnings;
      this.options.onBlock(block);
    }
  }

  /**
   * Warns of blocks whose elements the user edited since the session began; `now` is the file's
   * text.
   */
  compareWith(now: string): void {
    const edited = this.viewed?.changedIn(now.replace(/^\uFEFF/, ""));
    for (const block of this.captured) {
      if (block.status !== "captured" || !edited?.has(block.blockId)) continue;
      block.warnings = [...block.warnings, { code: "edited-meanwhile" }];
      this.options.onBlock(block);
    }
  }

  /** The user stopped the answer: settles the block that is open. */
  stop(): void {
    for (const block of this.captured)
      if (block.status === "streaming")
        this.settle(block, { status: "stopped", reason: { code: "stopped" } });
  }

  /** Settles the blocks that are captured or open. */
  settleAll(reason: BlockReason): void {
    for (const block of this.captured) {
      if (block.status === "captured" || block.status === "streaming")
        this.settle(block, { status: "incomplete", reason });
    }
  }

  /** Forgets reported blocks that are not part of the proposal. */
  forgetFailed(): void {
    this.captured = this.captured.filter((block) => block.status === "captured");
    if (this.captured.length === 0) this.whole = new WholeFileChoice();
    // Overlapping blocks keep others from their lines only until they are reported.
    if (this.captured.length === 0 && this.activeMode === "lines") this.draft = null;
  }

  private take(
    events: readonly FenceEvent[],
    atEnd: "unclosed" | "length-limit" = "unclosed",
  ): boolean {
    let seen = false;
    for (const event of events) {
      try {
        if (event.type === "open") this.open(event.info, event.above, event.start);
        else if (event.type === "line") this.line(event.text, event.crlf);
        else if (event.type === "close") this.close(event.end, event.unclear ?? null);
        else this.unclosed(event.end, atEnd);
      } catch (error) {
        this.fail(error);
      }
      seen ||= event.type !== "line" || this.current?.growing != null;
    }
    return seen;
  }

  /** An error of Graft's own costs the block that is open; the others stay. */
  private fail(error: unknown): void {
    const block =
      this.current?.block ?? this.captured.findLast(({ status }) => status === "streaming");
    this.current = null;
    this.options.onFailure?.(error);
    if (block) this.settle(block, refused({ code: "internal", said: thrownText(error) }));
  }

  private open(info: string, above: string, textStart: number): void {
    this.current = null;
    this.bodyHasCrlf = false;
    const { claims } = this.options;
    const opener = parseOpener(info, {
      isOpenFile: (file) => claims.isOpenFile(file),
      namesElement: (path) => this.file.namesElement(path),
    });
    if (opener.kind === "plain") {
      if (this.activeMode === "complete") this.openPlain(info, above, textStart);
      return;
    }
    const owner = claims.ownerOf(info, above);
    if (owner === "other") return;
    const target = opener.kind === "address" ? targetOf(opener.address) : `\`${opener.written}\``;
    const format = opener.kind === "address" ? opener.address.kind : opener.format;
    const line = opener.kind === "address" ? linesOf(opener.address)?.start : undefined;
    const block = this.newBlock({
      target,
      written: opener.written,
      ...(line !== undefined && { line }),
      format,
      op: opener.op,
      textStart,
    });
    this.current = { block, proven: null, address: null, place: null, growing: null, warnings: [] };
    const failure = owner === "mine" ? this.place(block, opener) : refused(owner);
    if (failure) Object.assign(block, failure);
    this.options.onBlock(block);
  }

  /** Opens the block at its place; gives why it has none. */
  private place(block: CapturedBlock, opener: AddressOpener): BlockFailure | null {
    if (opener.kind === "invalid") return refused(opener.reason);
    const { address, op, checks } = opener;
    const active = this.activeMode;
    if (active === "complete") return refused({ code: "complete-file-expected" });
    if (active !== null && active !== address.kind) {
      return {
        status: "ignored",
        reason: {
          code: "mode-mismatch",
          active,
          useLineNumbers: this.options.useLineNumbers ?? null,
        },
      };
    }
    const lines = linesOf(address);
    const seen =
      lines && (this.options.looks?.(lines.start, lines.end) ?? { texts: [], editedSince: false });
    const [element = null, ...others] =
      lines && address.kind === "ast" ? this.file.elementsAt(address.path) : [];
    const elementEnd = others.length === 0 ? (element?.end ?? null) : null;
    const meant =
      lines && seen && resolveLineAddress(this.file, seen, lines, op, checks, elementEnd);
    if (meant && !meant.ok) {
      if (meant.error.status === "conflict") this.activeMode = address.kind;
      return meant.error;
    }
    const meantAddress = meant ? withLines(address, meant.value.lines) : address;
    const draft = this.draft ?? this.startDraft(address.kind);
    if (!draft)
      return refused({
        code: "no-ast-paths",
        why: isTooLargeForOutline(this.file.text) ? "too-large" : "unreadable",
      });
    const place = draft.open({
      blockId: block.blockId,
      address: meantAddress,
      op,
      target: block.target,
      isNamed: (word) => this.spoken.hasCode(word),
      ...(!lines && { checks }),
    });
    if (!place.ok) return refused(place.error);
    const shownPath =
      address.kind === "ast" && place.value.path !== undefined
        ? this.shownPath(address.path)
        : null;
    const missing = shownPath?.missing(place.value.path ?? "");
    if (missing) return refused(missing);
    this.activeMode = address.kind;
    const checked = place.value.replaced
      ? this.viewed?.check(block.blockId, place.value.replaced, draft.text())
      : null;
    if (checked && !checked.ok) return checked.error;
    this.draft = draft;
    if (meant?.value.movedTo)
      block.adjustments = [...block.adjustments, { code: "moved", to: meant.value.movedTo }];
    this.current = {
      ...openBlock(block, meant?.value.proven ?? null, meantAddress, place.value),
      warnings: checked?.value ?? [],
    };
    return null;
  }

  private startDraft(kind: Address["kind"]): Draft | null {
    this.guards.begin();
    const { document, views } = this.options;
    if (kind === "ast" && document && views) this.shownPath = shownPaths(document, views());
    if (kind === "ast") this.file.pinPaths();
    return createDraft(kind, this.file.text, this.options.document);
  }

  /** Takes a plain block as the whole file, or refuses it, where it may be that. */
  private openPlain(info: string, above: string, textStart: number): void {
    const fit = this.options.claims.takesPlain(info, above);
    if (fit === null || (typeof fit === "string" && !this.whole.admits(fit))) return;
    const target = "complete file";
    const block = this.newBlock({
      target,
      written: target,
      format: "complete",
      op: "complete",
      textStart,
    });
    this.current = { block, proven: null, address: null, place: null, growing: null, warnings: [] };
    const outcomes =
      typeof fit === "string" ? this.whole.offer(block, fit) : [{ block, failure: refused(fit) }];
    if (this.whole.taken === null) this.draft = null;
    else if (this.whole.taken === block) this.openComplete(block, target);
    for (const { block: other, failure } of outcomes) this.settle(other, failure);
  }

  private openComplete(block: CapturedBlock, target: string): void {
    this.draft = createDraft("complete", this.file.text, this.options.document);
    const place = this.draft?.open({
      blockId: block.blockId,
      address: null,
      op: "replace",
      target,
    });
    if (place?.ok) this.current = openBlock(block, null, null, place.value);
    this.options.onBlock(block);
  }

  private line(text: string, crlf: boolean): void {
    this.bodyHasCrlf ||= crlf;
    this.current?.block.lines.push(text);
    this.current?.growing?.addLine(text);
  }

  private close(textEnd: number, unclear: UnclearBody | null): void {
    const current = this.current;
    this.current = null;
    if (!current) return;
    const { block, place } = current;
    block.textEnd = textEnd;
    if (block.status === "streaming" && unclear) {
      Object.assign(
        block,
        refused({ code: unclear === "indent" ? "unclear-indent" : "unclear-end" }),
      );
    } else if (block.status === "streaming" && place) {
      const frozen = this.draft && frozenDraft(this.draft);
      try {
        Object.assign(block, this.capture(current, place));
      } catch (error) {
        this.draft = frozen?.(error) ?? null;
        throw error;
      }
    }
    this.options.onBlock(block);
  }

  /** Puts a closed block into the draft, unless a guard holds it back; gives what becomes of it. */
  private capture(
    { block, address, proven, warnings: ofView }: OpenBlock,
    place: OpenedPlace,
  ): Partial<CapturedBlock> {
    const bodyEol = this.bodyHasCrlf ? "\r\n" : "\n";
    const { op } = block;
    const { path } = this.options;
    const old = linesOfText(place.oldText);
    const form = formOfBody(block.lines, place.oldText);
    if (form !== null) return refused({ code: "other-form", form });
    const { replaced } = place;
    const lineOf = () => (replaced ? lineNumberAt(this.draft?.text() ?? "", replaced.start) : null);
    const first = () => (address ? (linesOf(address)?.start ?? lineOf()) : null);
    const unnumbered = withoutLineNumbers(block.lines, old, first);
    const unnamed =
      op === "complete" ? null : withoutFileName(unnumbered ?? block.lines, old, path, first);
    const lines = unnamed ?? unnumbered ?? block.lines;
    const line =
      op === "remove"
        ? null
        : findElision(lines, place.oldText, path, this.file.text.trim() === "");
    if (line !== null) {
      this.options.onHeld?.(block, { base: this.file.bom + this.file.text, address, bodyEol });
      return {
        status: "held",
        reason: { code: "elision", line },
        addedLines: lines.length,
        removedLines: old.length,
      };
    }
    const around = {
      old,
      around: place.neighbors ? linesAround(place.neighbors) : null,
    };
    const repaired =
      op === "complete"
        ? { lines, slips: [] }
        : repairBody(lines, around, () => this.file.style(), path);
    const reassigned =
      address?.kind === "ast" && place.replaced
        ? this.shownPath(address.path)?.reassigned(lines)
        : null;
    if (reassigned) return refused(reassigned);
    const effect = place.close(repaired.lines, bodyEol);
    if (!effect.ok) return refused(effect.error);
    const { clashes } = effect.value;
    for (const { blockId, target } of clashes) {
      const other = this.captured.find((candidate) => candidate.blockId === blockId);
      if (other?.status === "captured")
        this.settle(other, refused({ code: "overlap", targets: [target, block.target] }));
    }
    if (clashes.length > 0)
      return refused({
        code: "overlap",
        targets: [block.target, ...clashes.map(({ target }) => target)],
      });
    const ofBody = this.guards.ofBlock({
      block,
      body: repaired.lines,
      place,
      around,
      proven,
      effect: effect.value,
    });
    const warnings = [...ofView, ...ofBody];
    const adjustments: BlockAdjustment[] = [
      ...block.adjustments,
      ...(effect.value.adjustments ?? []),
    ];
    if (unnumbered) adjustments.push({ code: "line-numbers" });
    if (unnamed) adjustments.push({ code: "file-name" });
    if (repaired.slips.length > 0) adjustments.push({ code: "repaired", slips: repaired.slips });
    return {
      status: "captured",
      warnings,
      adjustments,
      addedLines: effect.value.addedLines,
      removedLines: effect.value.removedLines,
    };
  }

  private unclosed(textEnd: number, code: "unclosed" | "length-limit"): void {
    const block = this.current?.block;
    this.current = null;
    if (!block) return;
    block.textEnd = textEnd;
    if (block.op === "complete") this.whole = new WholeFileChoice();
    if (block.status === "streaming")
      Object.assign(block, { status: "incomplete", reason: { code } } satisfies BlockFailure);
    this.options.onBlock(block);
  }

  /** Answers what looks like an edit of this file, or of none, but is in no form of one. */
  private refuseOtherForms(): void {
    const { claims } = this.options;
    for (const { form, line, start, file } of otherForms(this.spoken.message(this.step), claims)) {
      if (!claims.reportsOn(file)) continue;
      const block = this.newBlock({ target: line, written: line, op: "replace", textStart: start });
      block.textEnd = start;
      this.settle(block, refused({ code: "other-form", form }));
    }
  }

  private settle(block: CapturedBlock, failure: BlockFailure): void {
    Object.assign(block, failure);
    this.options.onBlock(block);
  }

  private newBlock(
    part: Pick<CapturedBlock, "target" | "written" | "line" | "format" | "op" | "textStart">,
  ): CapturedBlock {
    const index = this.options.claims.nextIndex();
    const block = openedBlock({
      ...part,
      blockId: `${this.options.callId}-${index}`,
      index,
      step: this.step,
    });
    this.captured.push(block);
    return block;
  }
}

function openBlock(
  block: CapturedBlock,
  proven: ProvenEnds | null,
  address: Address | null,
  place: OpenedPlace,
): OpenBlock {
  return {
    block,
    proven,
    address,
    place,
    growing: place.growth && new StreamingText(place.growth),
    warnings: [],
  };
}

function refused(reason: BlockReason): BlockFailure {
  return { status: "refused", reason };
}
