import type { Result } from "../../base/result.ts";
import { type FenceEvent, FenceScanner, type UnclearBody } from "../../base/text/fenceScanner.ts";
import type { BlockWarning, Proposal } from "../../ports/review.ts";
import { isTooLargeForOutline } from "../../syntax/outlineUnavailable.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { type Address, type AddressedLines, linesOf, withLines } from "../drafts/address.ts";
import { createPlacer } from "../drafts/createPlacer.ts";
import type { Placement, Placer } from "../drafts/placer.ts";
import type { StreamingMoment } from "../drafts/streamingText.ts";
import { type BlockFailure, refused, type WrittenBlock } from "../drafts/writtenBlock.ts";
import { endsInCode } from "../guards/endsInCode.ts";
import { AnswerText } from "../text/answerText.ts";
import { BlockGuards } from "./blockGuards.ts";
import { type AddressFormat, type CaptureOptions, fixedFormat } from "./captureOptions.ts";
import { EditedFile } from "./editedFile.ts";
import { openAgain } from "./openAgain.ts";
import { parseOpener, targetOf } from "./parseOpener.ts";
import { proposalOf } from "./proposalOf.ts";
import { readBody } from "./readBody.ts";
import { type ResolvedLines, resolveLineAddress } from "./resolveLineAddress.ts";
import { rollbackOnError } from "./rollbackOnError.ts";
import { SessionBlocks } from "./sessionBlocks.ts";
import { shownPaths } from "./shownPaths.ts";
import { unsupportedFormats } from "./unsupportedFormats.ts";
import { type ViewedElements, viewedElements } from "./viewedElements.ts";
import { WholeFileChoice } from "./wholeFileChoice.ts";

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
  private readonly answer = new AnswerText();
  private readonly guards: BlockGuards;
  private shownPath: ReturnType<typeof shownPaths> = () => null;
  private scanner: FenceScanner;
  private placer: Placer | null = null;
  /** The block that the scanner is in. */
  private current: WrittenBlock | null = null;
  /** Where it goes; null where it has no place. */
  private place: Placement | null = null;
  /** Opens the block again that a fence closed for now; null where none did. */
  private reopen: (() => void) | null = null;
  /** What the model has not seen there speaks against it before its body is known. */
  private ofView: readonly BlockWarning[] = [];
  private step = 0;
  private whole = new WholeFileChoice();
  private readonly list: SessionBlocks;
  private activeMode: AddressFormat;

  constructor(options: CaptureOptions) {
    this.options = options;
    this.list = new SessionBlocks((block) => options.onBlock(block));
    this.file = new EditedFile(options.text, options.document);
    this.guards = new BlockGuards(this.file, options.path, this.answer);
    this.viewed = options.views ? viewedElements(this.file.text, options.views) : null;
    this.activeMode = options.completeFile ? "complete" : fixedFormat(options.useLineNumbers);
    this.scanner = new FenceScanner(options.claims.fencedFile);
  }

  get mode(): AddressFormat {
    return this.activeMode;
  }

  /** Every block so far, in the order of the text. */
  get blocks(): readonly WrittenBlock[] {
    return this.list.all;
  }

  /** A message of the model begins; `step` is its number in the turn. */
  startMessage(step: number): void {
    this.scanner = new FenceScanner(this.options.claims.fencedFile);
    this.leave();
    this.step = step;
    if (this.answer.message(step) !== "") this.answer.add(step, "\n");
  }

  /** Takes a piece of the text. True when the proposal may have changed. */
  push(chunk: string): boolean {
    this.answer.add(this.step, chunk);
    return this.take(this.scanner.push(chunk));
  }

  /**
   * The message is over: complete, cut at its length limit, or broken off. Where it was cut, its
   * last line may be incomplete.
   */
  endMessage(how: "whole" | "length" | "broken-off"): void {
    this.take(this.scanner.flush(how !== "whole"), how === "length" ? "length-limit" : "unclosed");
    if (how !== "broken-off") this.refuseUnsupportedFormats();
  }

  /** True when there is something to show in {@link proposal}. */
  get proposes(): boolean {
    return (
      this.place?.growing != null ||
      this.blocks.some(({ status }) => status === "captured" || status === "pending")
    );
  }

  /** The text proposed so far, with the complete lines of the block that is being written. */
  proposal(): Proposal {
    const step = this.place?.growing?.step() ?? null;
    const change = this.file.bom === "" ? step?.change : null;
    return { ...this.proposalWith(step?.now ?? null), ...(change && { change }) };
  }

  /** The same without the block that is being written. */
  completeProposal(): Proposal {
    return this.proposalWith(null);
  }

  private proposalWith(growth: StreamingMoment | null): Proposal {
    const written = growth && { ...growth, blockId: this.current?.blockId ?? "" };
    return proposalOf(this.blocks, this.placer, this.file, written);
  }

  /** Everything is in: checks the syntax of the whole. Afterwards the captured blocks are final. */
  finish(): void {
    this.list.warn(this.guards.ofAll(this.list.captured, this.placer));
  }

  /**
   * Warns of blocks whose elements the user edited since the session began; `now` is the file's
   * text.
   */
  compareWith(now: string): void {
    const edited = this.viewed?.changedIn(now.replace(/^\uFEFF/, ""));
    this.list.warn(({ blockId, warnings }) =>
      edited?.has(blockId) ? [...warnings, { code: "edited-meanwhile" }] : warnings,
    );
  }

  /** The user stopped the answer: settles the block that is open. */
  stop(): void {
    const events = this.scanner.flush(true);
    const isOpen = (event: FenceEvent) => event.type === "unclosed";
    this.take(events.filter((event) => !isOpen(event)));
    this.list.stop();
    this.take(events.filter(isOpen));
  }

  /** Settles the blocks that are captured or open. */
  settleAll(reason: BlockReason): void {
    this.list.settle(reason);
  }

  /** What was written so far was thinking: nothing of it stays. */
  withdrawAll(): void {
    this.list.withdraw();
  }

  /** What was written so far of the message may be thinking. */
  doubt(): void {
    this.list.doubt(this.step);
  }

  /** Forgets reported blocks that are not part of the proposal. */
  forgetFailed(): void {
    this.list.forgetFailed();
    if (this.blocks.length > 0) return;
    this.whole = new WholeFileChoice();
    // Overlapping blocks keep others from their lines only until they are reported.
    if (this.activeMode === "lines") this.placer = null;
  }

  /** Takes what a scanner found, or a block whose ends are certain. True as {@link push}. */
  take(events: readonly FenceEvent[], atEnd: "unclosed" | "length-limit" = "unclosed"): boolean {
    let seen = false;
    for (const event of events) {
      try {
        if (event.type === "open") this.open(event.info, event.above, event.start);
        else if (event.type === "supposed-close") this.closeForNow(event.end);
        else if (event.type === "line") this.line(event.text, event.crlf);
        else if (event.type === "close") this.close(event.end, event.unclear ?? null);
        else this.unclosed(event.end, atEnd);
      } catch (error) {
        this.fail(error);
      }
      seen ||= event.type !== "line" || this.place?.growing != null;
    }
    return seen;
  }

  /** An error of Graft's own costs the block that is open; the others stay. */
  private fail(error: unknown): void {
    const block = this.leave() ?? this.list.streaming;
    this.options.onFailure?.(error);
    this.list.fail(block, error);
  }

  private open(info: string, above: string, textStart: number): void {
    this.leave();
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
    const { op, written } = opener;
    const isValid = opener.kind === "address";
    const line = isValid ? linesOf(opener.address)?.start : undefined;
    const block = this.newBlock({
      target: isValid ? targetOf(opener.address) : `\`${written}\``,
      written,
      ...(line !== undefined && { line }),
      format: isValid ? opener.address.kind : opener.format,
      op,
      textStart,
      ...(isValid && { address: opener.address, checks: opener.checks }),
    });
    this.current = block;
    const failure =
      owner !== "mine"
        ? refused(owner)
        : isValid
          ? this.placeAt(opener.address, block)
          : refused(opener.reason);
    this.list.become(block, failure ?? {});
  }

  /** Opens the block at its address; gives why it has no place. */
  private placeAt(address: Address, block: WrittenBlock): BlockFailure | null {
    const active = this.activeMode;
    if (active === "complete") return refused({ code: "complete-file-expected" });
    if (active !== null && active !== address.kind) {
      const { options } = this;
      const given = "parameter" in options ? options.parameter : options.useLineNumbers;
      const reason = { code: "mode-mismatch", active, useLineNumbers: given ?? null } as const;
      return { status: "ignored", reason };
    }
    const lines = linesOf(address);
    const meant = lines && this.meantLines(address, lines, block);
    if (meant && !meant.ok) {
      if (meant.error.status === "conflict") this.activeMode = address.kind;
      return meant.error;
    }
    if (meant) {
      block.address = withLines(address, meant.value.lines);
      block.proven = meant.value.proven;
    }
    const placer = this.placer ?? this.startPlacer(address.kind);
    if (!placer) {
      const why = isTooLargeForOutline(this.file.text) ? "too-large" : "unreadable";
      return refused({ code: "no-ast-paths", why });
    }
    const opened = placer.open(block);
    if (!opened.ok) return refused(opened.error);
    const place = opened.value;
    const shown = address.kind === "ast" ? this.shownPath(address.path) : null;
    const missing = place.path === undefined ? null : shown?.missing(place.path);
    if (missing) return refused(missing);
    this.activeMode = address.kind;
    const { replaced } = place;
    const checked = replaced && this.viewed?.check(block.blockId, replaced, placer.text());
    if (checked && !checked.ok) return checked.error;
    this.placer = placer;
    const to = meant?.value.movedTo;
    if (to) block.adjustments = [...block.adjustments, { code: "moved", to }];
    this.place = place;
    this.ofView = checked?.value ?? [];
    return null;
  }

  /** Which lines of the file an address means, by the texts in which the model saw them. */
  private meantLines(
    address: Address,
    lines: AddressedLines,
    { op, checks }: WrittenBlock,
  ): Result<ResolvedLines, BlockFailure> {
    const { start, end } = lines;
    const seen = this.options.looks?.(start, end) ?? { texts: [], editedSince: false };
    const [element, ...others] = address.kind === "ast" ? this.file.elementsAt(address.path) : [];
    const elementEnd = others.length === 0 ? (element?.end ?? null) : null;
    return resolveLineAddress(this.file, seen, lines, op, checks, elementEnd);
  }

  private startPlacer(kind: Address["kind"]): Placer | null {
    this.guards.begin();
    const { document, views } = this.options;
    if (kind === "ast" && document && views) this.shownPath = shownPaths(document, views());
    if (kind === "ast") this.file.pinPaths();
    const isNamed = (word: string) => this.answer.hasCode(word);
    return createPlacer(kind, this.file.text, document, isNamed);
  }

  /** The scanner is no longer in a block; gives the one it was in. */
  private leave(): WrittenBlock | null {
    const block = this.current;
    [this.current, this.place, this.reopen, this.ofView] = [null, null, null, []];
    return block;
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
    this.current = block;
    const outcomes =
      typeof fit === "string" ? this.whole.offer(block, fit) : [{ block, failure: refused(fit) }];
    if (this.whole.taken === null) this.placer = null;
    else if (this.whole.taken === block) this.openComplete(block);
    for (const { block: other, failure } of outcomes)
      if (other.reason?.code !== "unclear-end") this.list.become(other, failure);
  }

  private openComplete(block: WrittenBlock): void {
    this.placer = createPlacer("complete", this.file.text, this.options.document);
    const opened = this.placer?.open(block);
    if (opened?.ok) this.place = opened.value;
    this.list.become(block, {});
  }

  /** A bare fence may close the block: it is complete until the fence turns out to be text. */
  private closeForNow(textEnd: number): void {
    const { current: block, place, ofView } = this;
    if (block?.status !== "streaming" || !place?.reopen) return;
    const back = openAgain(block, place);
    this.reopen = () => {
      this.place = place;
      this.list.become(block, back());
    };
    const closed = this.capture(block, place, ofView);
    this.place = null;
    this.list.become(block, { ...closed, textEnd });
  }

  private line(text: string, crlf: boolean): void {
    this.reopen?.();
    this.reopen = null;
    if (crlf && this.current) this.current.bodyEol = "\r\n";
    this.current?.lines.push(text);
    this.place?.growing?.addLine(text);
  }

  private close(textEnd: number, unclear: UnclearBody | null): void {
    if (unclear) this.reopen?.();
    const { place, ofView } = this;
    const block = this.leave();
    if (!block) return;
    block.textEnd = textEnd;
    const isProven =
      unclear === "unproven" && place && endsInCode(place, block.op, this.options.document);
    if (block.status === "streaming" && unclear && !isProven) {
      const code = unclear === "indent" ? "unclear-indent" : "unclear-end";
      Object.assign(block, refused({ code }));
    } else if (block.status === "streaming" && place) {
      const rollback = this.placer && rollbackOnError(this.placer);
      try {
        Object.assign(block, this.capture(block, place, ofView));
      } catch (error) {
        this.placer = rollback?.(error) ?? null;
        throw error;
      }
    }
    this.list.become(block, {});
  }

  /** Puts a closed block into the draft, unless a guard stops it; gives what becomes of it. */
  private capture(
    block: WrittenBlock,
    place: Placement,
    ofView: readonly BlockWarning[],
  ): Partial<WrittenBlock> {
    const { address } = block;
    const { path } = this.options;
    const shown = address?.kind === "ast" ? this.shownPath(address.path) : null;
    const draftText = () => this.placer?.text() ?? "";
    const read = readBody(block, place, this.file, path, draftText, shown);
    if (!read.ok) {
      if (read.error.status === "held") this.options.onHeld?.(block);
      return read.error;
    }
    const { placed } = read.value;
    const closed = place.close(placed.body, block.bodyEol);
    if (!closed.ok) return refused(closed.error);
    const { addedLines, removedLines, adjustments = [], clashes } = closed.value;
    if (clashes.length > 0) return this.list.overlap(block, clashes);
    const ofBody = this.guards.ofBlock(block, placed, closed.value);
    return {
      status: "captured",
      warnings: this.list.withDoubt(block.blockId, [...ofView, ...ofBody]),
      adjustments: [...block.adjustments, ...adjustments, ...read.value.adjustments],
      addedLines,
      removedLines,
    };
  }

  private unclosed(textEnd: number, code: "unclosed" | "length-limit"): void {
    const block = this.leave();
    if (!block) return;
    block.textEnd = textEnd;
    if (block.op === "complete") this.whole = new WholeFileChoice();
    if (block.status === "streaming")
      Object.assign(block, { status: "incomplete", reason: { code } } satisfies BlockFailure);
    this.list.become(block, {});
  }

  /** Answers what looks like an edit of this file, or of none, but is in no form of one. */
  private refuseUnsupportedFormats(): void {
    const { claims } = this.options;
    for (const { form, line, start, file } of unsupportedFormats(
      this.answer.message(this.step),
      claims,
    )) {
      if (!claims.reportsOn(file)) continue;
      const block = this.newBlock({ target: line, written: line, op: "replace", textStart: start });
      this.list.become(block, { textEnd: start, ...refused({ code: "other-form", form }) });
    }
  }

  private newBlock(
    part: Omit<Parameters<SessionBlocks["open"]>[0], "blockId" | "index" | "step">,
  ): WrittenBlock {
    const index = this.options.claims.nextIndex();
    const blockId = `${this.options.callId}-${index}`;
    return this.list.open({ ...part, blockId, index, step: this.step });
  }
}
