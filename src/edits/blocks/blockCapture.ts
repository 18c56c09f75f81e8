import { type FenceEvent, FenceScanner } from "../../base/text/fenceScanner.ts";
import type { BlockWarning, Proposal, ProposedBlock } from "../../ports/review.ts";
import { isTooLargeForOutline } from "../../syntax/outlineUnavailable.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { type Address, createDraft, type Draft, linesOf, type OpenedPlace, type WholeEffect, withLines } from "../drafts/draft.ts";
import type { Neighbors } from "../drafts/lineChange.ts";
import { type StreamingMoment, StreamingText } from "../drafts/streamingText.ts";
import { bodyWarnings } from "../guards/bodyWarnings.ts";
import { type BracketChange, bracketChange } from "../guards/bracketChange.ts";
import { findElision } from "../guards/findElision.ts";
import { lineWarnings } from "../guards/lineWarnings.ts";
import { addedPythonErrors, PYTHON_LINES } from "../guards/pythonLines.ts";
import { type ReplacedBody, typoWarnings } from "../guards/typoWarnings.ts";
import { type LinesAround, whitespaceWarnings } from "../guards/whitespaceWarnings.ts";
import { wholeWarnings } from "../guards/wholeWarnings.ts";
import { countChangedLines } from "../text/changeSet.ts";
import type { ProvenEnds } from "../text/lineChecks.ts";
import { type BlockAdjustment, type BlockFailure, type CapturedBlock, openedBlock } from "./capturedBlock.ts";
import type { CaptureOptions, EditMode, LineNumbersParameter } from "./captureOptions.ts";
import { EditedFile } from "./editedFile.ts";
import { type Opener, parseOpener, targetOf } from "./parseOpener.ts";
import { BLANKS_MEAN, repairBody } from "./repairBody.ts";
import { resolveLineAddress } from "./resolveLineAddress.ts";
import { type ViewedElements, viewedElements } from "./viewedElements.ts";

type AddressOpener = Exclude<Opener, { kind: "plain" }>;

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

/** Captures edit blocks from the streaming text and puts them into a draft of the file. Independent of the editor; synchronous. */
export class BlockCapture {
  private readonly options: CaptureOptions;
  private readonly file: EditedFile;
  /** Null where the model has seen all of the file. */
  private readonly viewed: ViewedElements | null;
  /** Of the file as the first block finds it. */
  private sound = false;
  /** Blocks whose checks prove their lines. */
  private readonly certain = new Set<string>();
  private readonly brackets = new Map<string, BracketChange>();
  private readonly bodies = new Map<string, ReplacedBody>();
  private scanner = new FenceScanner();
  private draft: Draft | null = null;
  private current: OpenBlock | null = null;
  private lastGrowth: { readonly growing: StreamingText; readonly growth: StreamingMoment } | null = null;
  private step = 0;
  private bodyHasCrlf = false;
  private completeTaken = false;
  private captured: CapturedBlock[] = [];
  private activeMode: EditMode;

  constructor(options: CaptureOptions) {
    this.options = options;
    this.file = new EditedFile(options.text, options.document);
    this.viewed = options.views ? viewedElements(this.file.text, options.views) : null;
    this.activeMode = options.completeFile ? "complete" : modeOf(options.useLineNumbers);
  }

  get mode(): EditMode {
    return this.activeMode;
  }

  /** Every block so far, in the order of the text. */
  get blocks(): readonly CapturedBlock[] {
    return this.captured;
  }

  /** A message of the model begins; `step` is its number in the turn. */
  startMessage(step: number): void {
    this.scanner = new FenceScanner();
    this.current = null;
    this.step = step;
  }

  /** Takes a piece of the text. True when the proposal may have changed. */
  push(chunk: string): boolean {
    return this.take(this.scanner.push(chunk));
  }

  /** The message is over: complete, cut at its length limit, or broken off. Where it was cut, its last line may be incomplete. */
  endMessage(how: "whole" | "length" | "broken-off"): void {
    this.take(this.scanner.flush(how !== "whole"), how === "length" ? "length-limit" : "unclosed");
  }

  /** True when there is something to show in {@link proposal}. */
  get proposes(): boolean {
    return this.current?.growing != null || this.captured.some(({ status }) => status === "captured" || status === "pending");
  }

  /** The text proposed so far, with the complete lines of the block that is being written. */
  proposal(): Proposal {
    const { draft } = this;
    const { bom } = this.file;
    const growing = this.current?.growing ?? null;
    const growth = growing?.now() ?? null;
    const last = this.lastGrowth;
    this.lastGrowth = growing && growth && { growing, growth };
    const step = growing?.since(last?.growing === growing ? last.growth : null);
    const text = growth?.text ?? draft?.text() ?? this.file.text;
    const ranges = new Map(draft?.ranges());
    if (growth) {
      const delta = growth.text.length - (draft?.text().length ?? 0);
      for (const [id, { start, end }] of ranges)
        if (start >= growth.range.start) ranges.set(id, { start: start + delta, end: end + delta });
      ranges.set(this.current?.block.blockId ?? "", growth.range);
    }
    const blocks = this.captured.flatMap(({ blockId, warnings, status }): ProposedBlock[] => {
      const range = status === "captured" || status === "pending" || status === "streaming" ? ranges.get(blockId) : undefined;
      return range ? [{ blockId, warnings, start: range.start + bom.length, end: range.end + bom.length }] : [];
    });
    return { text: bom + text, blocks, ...(step && bom === "" && { change: step }) };
  }

  /** Everything is in: checks the syntax of the whole. Afterwards the captured blocks are final. */
  finish(): void {
    const captured = this.captured.filter(({ status }) => status === "captured");
    const warningsOf = wholeWarnings(captured, this.wholeEffect(), this.brackets, this.sound, this.certain);
    const text = this.draft?.text() ?? "";
    for (const block of captured) {
      const body = this.bodies.get(block.blockId);
      const warnings = [...warningsOf(block), ...(body ? typoWarnings(body, text) : [])];
      if (JSON.stringify(warnings) === JSON.stringify(block.warnings)) continue;
      block.warnings = warnings;
      this.options.onBlock(block);
    }
  }

  /** What the blocks do to the whole, as its grammar and, for Python, its lines tell. */
  private wholeEffect(): WholeEffect | null {
    const { draft } = this;
    if (!draft) return null;
    const effect = draft.finish();
    if (!PYTHON_LINES.test(this.options.path)) return effect;
    const breaking = addedPythonErrors(this.file.text, draft.text(), draft.ranges());
    return { ...effect, addsSyntaxError: new Set([...effect.addsSyntaxError, ...breaking]) };
  }

  /** Warns of blocks whose elements the user edited since the session began; `now` is the file's text. */
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
      if (block.status === "streaming") this.settle(block, { status: "stopped", reason: { code: "stopped" } });
  }

  /** Settles the blocks that are captured or open. */
  settleAll(reason: BlockReason): void {
    for (const block of this.captured) {
      if (block.status === "captured" || block.status === "streaming") this.settle(block, { status: "incomplete", reason });
    }
  }

  /** Forgets reported blocks that are not part of the proposal. */
  forgetFailed(): void {
    this.captured = this.captured.filter((block) => block.status === "captured");
    this.completeTaken &&= this.captured.length > 0;
    // Overlapping blocks keep others from their lines only until they are reported.
    if (this.captured.length === 0 && this.activeMode === "lines") this.draft = null;
  }

  private take(events: readonly FenceEvent[], atEnd: "unclosed" | "length-limit" = "unclosed"): boolean {
    let seen = false;
    for (const event of events) {
      if (event.type === "open") this.open(event.info, event.start);
      else if (event.type === "line") this.line(event.text, event.crlf);
      else if (event.type === "close") this.close(event.end);
      else this.unclosed(event.end, atEnd);
      seen ||= event.type !== "line" || this.current?.growing != null;
    }
    return seen;
  }

  private open(info: string, textStart: number): void {
    this.current = null;
    this.bodyHasCrlf = false;
    const { claims } = this.options;
    const opener = parseOpener(info, {
      isOpenFile: (file) => claims.isOpenFile(file),
      namesElement: (path) => this.file.namesElement(path),
    });
    if (opener.kind === "plain") {
      if (this.activeMode === "complete" && !this.completeTaken && claims.takesPlain(info)) this.openComplete(textStart);
      return;
    }
    const owner = claims.ownerOf(opener.file);
    if (owner === "other") return;
    const target = opener.kind === "address" ? targetOf(opener.address) : `\`${opener.written}\``;
    const format = opener.kind === "address" ? opener.address.kind : opener.format;
    const block = this.newBlock({ target, written: opener.written, format, op: opener.op, textStart });
    this.current = { block, proven: null, address: null, place: null, growing: null, warnings: [] };
    const failure = owner === "nobody" ? refused({ code: "not-in-edit-mode", file: opener.file ?? "" }) : this.place(block, opener);
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
      return { status: "ignored", reason: { code: "mode-mismatch", active, useLineNumbers: this.options.useLineNumbers ?? null } };
    }
    const lines = linesOf(address);
    const seen = lines && (this.options.looks?.(lines.start, lines.end) ?? { texts: [], editedSince: false });
    const meant = lines && seen && resolveLineAddress(this.file.text, seen, lines, op, checks);
    if (meant && !meant.ok) {
      if (meant.error.status === "conflict") this.activeMode = address.kind;
      return meant.error;
    }
    const meantAddress = meant ? withLines(address, meant.value.lines) : address;
    const draft = this.draft ?? this.startDraft(address.kind);
    if (!draft) return refused({ code: "no-ast-paths", why: isTooLargeForOutline(this.file.text) ? "too-large" : "unreadable" });
    const place = draft.open({ blockId: block.blockId, address: meantAddress, op, target: block.target, ...(!lines && { checks }) });
    if (!place.ok) return refused(place.error);
    this.activeMode = address.kind;
    const checked = place.value.replaced ? this.viewed?.check(block.blockId, place.value.replaced, draft.text()) : null;
    if (checked && !checked.ok) return checked.error;
    this.draft = draft;
    if (meant?.value.movedTo) block.adjustments = [...block.adjustments, { code: "moved", to: meant.value.movedTo }];
    this.current = { ...openBlock(block, meant?.value.proven ?? null, meantAddress, place.value), warnings: checked?.value ?? [] };
    return null;
  }

  private startDraft(kind: Address["kind"]): Draft | null {
    this.sound = this.file.isSound();
    if (kind === "ast") this.file.pinPaths();
    return createDraft(kind, this.file.text, this.options.document);
  }

  private openComplete(textStart: number): void {
    const target = "complete file";
    const block = this.newBlock({ target, written: target, format: "complete", op: "complete", textStart });
    this.draft = createDraft("complete", this.file.text, this.options.document);
    this.completeTaken = true;
    const place = this.draft?.open({ blockId: block.blockId, address: null, op: "replace", target });
    if (place?.ok) this.current = openBlock(block, null, null, place.value);
    this.options.onBlock(block);
  }

  private line(text: string, crlf: boolean): void {
    this.bodyHasCrlf ||= crlf;
    this.current?.block.lines.push(text);
    this.current?.growing?.addLine(text);
  }

  private close(textEnd: number): void {
    const current = this.current;
    this.current = null;
    if (!current) return;
    const { block, place } = current;
    block.textEnd = textEnd;
    if (block.status === "streaming" && place) Object.assign(block, this.capture(current, place));
    this.options.onBlock(block);
  }

  /** Puts a closed block into the draft, unless a guard holds it back; gives what becomes of it. */
  private capture({ block, address, proven, warnings: ofView }: OpenBlock, place: OpenedPlace): Partial<CapturedBlock> {
    const bodyEol = this.bodyHasCrlf ? "\r\n" : "\n";
    const { lines, op } = block;
    const removes = op === "remove";
    const { path } = this.options;
    const old = linesOfText(place.oldText);
    const removed = old.length;
    const line = removes ? null : findElision(lines, place.oldText, path);
    if (line !== null) {
      this.options.onHeld?.(block, { base: this.file.bom + this.file.text, address, bodyEol });
      return { status: "held", reason: { code: "elision", line }, addedLines: lines.length, removedLines: removed };
    }
    const around = { old, around: place.neighbors ? linesAround(place.neighbors, place.growth?.head ?? "") : null };
    const repaired = op === "complete" ? { lines, slips: [] } : repairBody(lines, around, () => this.file.style(), path);
    const before = this.draft?.text() ?? "";
    const effect = place.close(repaired.lines, bodyEol);
    if (!effect.ok) return refused(effect.error);
    const { addsSyntaxError, clashes, tookComment } = effect.value;
    for (const { blockId, target } of clashes) {
      const other = this.captured.find((candidate) => candidate.blockId === blockId);
      if (other?.status === "captured") this.settle(other, refused({ code: "overlap", targets: [target, block.target] }));
    }
    if (clashes.length > 0) return refused({ code: "overlap", targets: [block.target, ...clashes.map(({ target }) => target)] });
    if (proven?.first && (proven.last || removed <= 1)) this.certain.add(block.blockId);
    this.bodies.set(block.blockId, { old, body: repaired.lines });
    const deletes = removes || (lines.length === 0 && op !== "complete");
    const misplaced = this.misplaced(block, deletes ? [] : repaired.lines, old, place.neighbors, proven);
    const own = bodyWarnings(deletes ? null : lines, place.oldText, addsSyntaxError);
    const prose = BLANKS_MEAN.test(path);
    const whitespace = deletes || op === "complete" ? [] : whitespaceWarnings(repaired.lines, around, () => this.file.style(), prose);
    const warnings = [...ofView, ...own, ...(effect.value.warnings ?? []), ...misplaced, ...whitespace];
    const adjustments: BlockAdjustment[] = [...block.adjustments];
    if (tookComment) adjustments.push({ code: "with-comment" });
    if (repaired.slips.length > 0) adjustments.push({ code: "repaired", slips: repaired.slips });
    return { status: "captured", warnings, adjustments, ...countChangedLines(before, this.draft?.text() ?? "") };
  }

  /** The warnings for lines that may be the wrong ones. Their brackets are judged with all blocks together. */
  private misplaced(
    { blockId, op }: CapturedBlock,
    body: readonly string[],
    old: readonly string[],
    neighbors: Neighbors | undefined,
    proven: ProvenEnds | null,
  ): readonly BlockWarning[] {
    if (!neighbors || !proven) return [];
    const change = bracketChange(body, old, this.options.path);
    this.brackets.set(blockId, proven.first && proven.last ? { ...change, cutsPair: false } : change);
    return lineWarnings({ body, old, op: op === "complete" ? "replace" : op, proven, ...neighbors });
  }

  private unclosed(textEnd: number, code: "unclosed" | "length-limit"): void {
    const block = this.current?.block;
    this.current = null;
    if (!block) return;
    block.textEnd = textEnd;
    if (block.op === "complete") this.completeTaken = false;
    if (block.status === "streaming") Object.assign(block, { status: "incomplete", reason: { code } } satisfies BlockFailure);
    this.options.onBlock(block);
  }

  private settle(block: CapturedBlock, failure: BlockFailure): void {
    Object.assign(block, failure);
    this.options.onBlock(block);
  }

  private newBlock(part: Pick<CapturedBlock, "target" | "written" | "format" | "op" | "textStart">): CapturedBlock {
    const index = this.options.claims.nextIndex();
    const block = openedBlock({ ...part, blockId: `${this.options.callId}-${index}`, index, step: this.step });
    this.captured.push(block);
    return block;
  }
}

function modeOf(useLineNumbers: LineNumbersParameter): EditMode {
  if (useLineNumbers === undefined) return null;
  return useLineNumbers ? "lines" : "ast";
}

function linesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\n|\r/);
}

function openBlock(block: CapturedBlock, proven: ProvenEnds | null, address: Address | null, place: OpenedPlace): OpenBlock {
  return { block, proven, address, place, growing: place.growth && new StreamingText(place.growth), warnings: [] };
}

function refused(reason: BlockReason): BlockFailure {
  return { status: "refused", reason };
}

/** The lines around a place; `head` is the text up to it, as earlier blocks leave it. */
function linesAround({ textsAbove, textsBelow }: Neighbors, head: string): LinesAround["around"] {
  const [textAbove, textBelow] = [textsAbove[0] ?? null, textsBelow[0] ?? null];
  const text = head.trimEnd();
  const above = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  return { textAbove, textBelow, newAbove: above === "" || above === textAbove?.trimEnd() ? null : above };
}
