import { type FenceEvent, FenceScanner } from "../base/fenceScanner.ts";
import { ok, type Result } from "../base/result.ts";
import { countLines } from "../base/text.ts";
import type { Proposal } from "../ports/review.ts";
import { isTooLargeForOutline } from "../syntax/whyNoOutline.ts";
import { type Address, type EditOp, type Opener, parseOpener, targetOf } from "./address.ts";
import { AstDraft } from "./astDraft.ts";
import { type CapturedBlock, openedBlock } from "./capturedBlock.ts";
import type { CaptureOptions } from "./captureOptions.ts";
import { editsBetween } from "./changeSet.ts";
import { CompleteDraft } from "./completeDraft.ts";
import type { Draft } from "./draft.ts";
import { GrowingText } from "./growingText.ts";
import { deletionWarning, type Elision, elisionOf } from "./guards.ts";
import { LineDraft } from "./lineDraft.ts";
import { type MeantLines, type Misplaced, meantLines } from "./meantLines.ts";
import { ignoredChange, type LineNumbersParameter } from "./modeMessages.ts";

/** How the blocks of a session are addressed; null until the first valid block decides. */
export type EditMode = "lines" | "ast" | "complete" | null;

type AddressOpener = Exclude<Opener, { kind: "plain" }>;

/** The block a session's scanner is in: one of its own, or text that is not for it. */
interface OpenBlock {
  readonly block: CapturedBlock;
  /** In the snapshot; null for the whole file, and while there is no place. */
  readonly address: Address | null;
  readonly oldText: string;
  readonly growing: GrowingText | null;
}

/** Captures edit blocks from an answer's text while it streams and puts them into a draft of the file. Free of any editor; synchronous. */
export class BlockCapture {
  private readonly options: CaptureOptions;
  private bom = "";
  private snapshot = "";
  private meant: MeantLines | null = null;
  private scanner = new FenceScanner();
  private draft: Draft | null = null;
  private current: OpenBlock | null = null;
  private step = 0;
  private bodyHasCrlf = false;
  private completeTaken = false;
  private atLimit = false;
  private captured: CapturedBlock[] = [];
  private activeMode: EditMode;
  private lastLookalike: string | null = null;

  constructor(options: CaptureOptions) {
    this.options = options;
    this.startFrom(options.text);
    this.activeMode = options.completeFile ? "complete" : modeOf(options.useLineNumbers);
  }

  get mode(): EditMode {
    return this.activeMode;
  }

  /** Every block so far, in the order of the text. */
  get blocks(): readonly CapturedBlock[] {
    return this.captured;
  }

  /** An info string that could have been meant as an address, or null. */
  get lookalike(): string | null {
    return this.lastLookalike;
  }

  /** The file has another text now, which the blocks to come are for. False, and nothing happens, once a block has been captured. */
  moveOn(text: string): boolean {
    if (this.current !== null || this.captured.some(({ status }) => status === "captured")) return false;
    const { document } = this.options;
    this.draft = null;
    this.completeTaken = false;
    this.startFrom(text);
    if (document) for (const edit of editsBetween(document.text, this.snapshot).reverse()) document.edit(edit, edit.newText);
    return true;
  }

  /** A message of the model begins; `step` is its number in the turn. */
  startMessage(step: number): void {
    this.scanner = new FenceScanner();
    this.current = null;
    this.step = step;
  }

  /** Takes a piece of the text. True when the proposal looks different now. */
  push(chunk: string): boolean {
    return this.take(this.scanner.push(chunk));
  }

  /** The message is over: by itself, at its length limit, or broken off; in the latter cases its last line may be a part of one. */
  endMessage(how: "whole" | "length" | "broken-off"): void {
    this.atLimit = how === "length";
    this.take(this.scanner.flush(how !== "whole"));
  }

  /** True when there is something to show in {@link proposal}. */
  get proposes(): boolean {
    return this.current?.growing != null || this.captured.some(({ status }) => status === "captured" || status === "pending");
  }

  /** The text proposed so far, with the complete lines of the block that is being written. */
  proposal(): Proposal {
    const draft = this.draft;
    const growth = this.current?.growing?.now() ?? null;
    const text = growth?.text ?? draft?.text() ?? this.snapshot;
    const delta = growth ? growth.text.length - (draft?.text().length ?? 0) : 0;
    const shift = this.bom.length;
    const blocks = this.captured.flatMap((block) => {
      const own = growth !== null && block === this.current?.block;
      const range = own ? growth.range : draft?.ranges().get(block.blockId);
      if (!range || !(own || block.status === "captured" || block.status === "pending")) return [];
      const moved = !own && growth !== null && range.start >= growth.range.start ? delta : 0;
      const { blockId, warning } = block;
      return [{ blockId, warning, start: range.start + moved + shift, end: range.end + moved + shift }];
    });
    return { text: this.bom + text, blocks };
  }

  /** Everything is in: looks at the whole once more. Afterwards the captured blocks are final. */
  finish(): void {
    const late = this.draft?.finish() ?? new Map<string, string>();
    for (const block of this.captured) {
      if (block.status !== "captured") continue;
      const before = block.warning;
      warn(block, late.get(block.blockId) ?? null);
      if (block.warning !== before) this.options.onBlock(block);
    }
  }

  /** Gives blocks that are captured, or open, another end; the model is told of an open one that it was not closed. */
  giveUp(status: "incomplete" | "stopped", reason: string): void {
    for (const block of this.captured) {
      if (block.status === "streaming") {
        block.reportReason = unclosedReason(block.target);
        block.guards = ["unclosed"];
      }
      if (block.status === "captured" || block.status === "streaming") this.settle(block, status, reason);
    }
  }

  /** Forgets blocks that have been reported and are not part of the proposal. */
  forgetFailed(): void {
    this.captured = this.captured.filter((block) => block.status === "captured");
    this.completeTaken &&= this.captured.length > 0;
    // Blocks that overlapped keep others from their lines only until they have been reported.
    if (this.captured.length === 0 && this.activeMode === "lines") this.draft = null;
    this.lastLookalike = null;
  }

  private take(events: readonly FenceEvent[]): boolean {
    let seen = false;
    for (const event of events) {
      if (event.type === "open") this.open(event.info, event.start);
      else if (event.type === "line") this.line(event.text, event.crlf);
      else if (event.type === "close") this.close(event.end);
      else this.unclosed(event.end);
      seen ||= event.type !== "line" || this.current?.growing != null;
    }
    return seen;
  }

  private open(info: string, textStart: number): void {
    this.current = null;
    this.bodyHasCrlf = false;
    const { claims } = this.options;
    const opener = parseOpener(info, (file) => claims.isOpenFile(file));
    if (opener.kind === "plain") {
      if (this.activeMode === "complete" && !this.completeTaken && claims.takesPlain(info)) this.openComplete(textStart);
      else if (opener.lookalike) this.lastLookalike = info;
      return;
    }
    const owner = claims.ownerOf(opener.file);
    if (owner === "other") return;
    const block = this.add(opener, textStart);
    const refusal = owner === "nobody" ? `\`${opener.file}\` is not in edit mode; call \`edit_mode\` for it first` : null;
    this.current = { block, address: null, oldText: "", growing: null };
    this.place(block, opener, refusal);
    this.options.onBlock(block);
  }

  private place(block: CapturedBlock, opener: AddressOpener, unowned: string | null): void {
    const refusal = unowned ?? this.refusalOf(opener);
    if (refusal !== null || opener.kind === "invalid") {
      refuse(block, refusal ?? "the address is not valid");
      return;
    }
    const { address, op } = opener;
    if (this.activeMode !== null && this.activeMode !== address.kind) {
      const { report, notice } = ignoredChange(address, this.options.useLineNumbers);
      block.status = "ignored";
      block.reason = notice;
      block.reportReason = report;
      return;
    }
    const meant = this.meantAddress(address, op);
    if (!meant.ok) {
      const { status, reason, reportReason } = meant.error;
      block.status = status;
      block.reason = reason;
      block.reportReason = reportReason;
      if (status === "conflict") this.activeMode = address.kind;
      return;
    }
    const draft = this.draft ?? this.newDraft(address.kind);
    const place = draft?.open({ blockId: block.blockId, address: meant.value, op, target: block.target });
    if (!place?.ok) {
      const why = isTooLargeForOutline(this.snapshot) ? "which is too large for an outline" : "whose syntax Graft cannot read";
      refuse(block, place?.error ?? `AST paths do not work in this file, ${why}; use \`type:startline:endline\``);
      return;
    }
    this.draft = draft;
    this.activeMode = address.kind;
    const { growth, oldText } = place.value;
    this.current = { block, address: meant.value, oldText, growing: growth ? new GrowingText(growth) : null };
  }

  private startFrom(text: string): void {
    const { looks } = this.options;
    this.bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    this.snapshot = text.slice(this.bom.length);
    this.meant = looks ? meantLines(this.snapshot, looks) : null;
  }

  /** The address in the snapshot. */
  private meantAddress(address: Address, op: EditOp): Result<Address, Misplaced> {
    if (address.kind === "ast" || !this.meant) return ok(address);
    const lines = this.meant(address, op);
    return lines.ok ? ok({ kind: "lines", ...lines.value }) : lines;
  }

  private refusalOf(opener: AddressOpener): string | null {
    if (opener.kind === "invalid") return opener.reason;
    if (this.activeMode !== "complete") return null;
    return "the complete file is expected (complete_file): write it as one fenced block without an address";
  }

  private openComplete(textStart: number): void {
    const draft = new CompleteDraft(this.snapshot, this.options.document);
    this.draft = draft;
    this.completeTaken = true;
    const target = "complete file";
    const block = this.newBlock({ target, written: target, op: "complete", textStart });
    const place = draft.open({ blockId: block.blockId, address: { kind: "ast", path: "@file" }, op: "replace", target });
    if (place.ok) {
      const { growth, oldText } = place.value;
      this.current = { block, address: null, oldText, growing: growth ? new GrowingText(growth) : null };
    }
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
    const { block, oldText } = current;
    block.textEnd = textEnd;
    if (block.status === "streaming") {
      const elision = block.op === "remove" ? null : elisionOf(block.lines, oldText, this.options.path);
      const refusal = elision ? this.hold(current, elision) : this.capture(block, oldText);
      if (refusal !== null) refuse(block, refusal);
    }
    this.options.onBlock(block);
  }

  private hold({ block, address, oldText }: OpenBlock, { notice, report, warning }: Elision): null {
    block.status = "held";
    block.reason = notice;
    block.reportReason = report;
    block.guards = ["elision"];
    block.addedLines = block.lines.length;
    block.removedLines = lineCount(oldText);
    const base = this.bom + this.snapshot;
    this.options.onHeld?.(block, { base, address, bodyEol: this.bodyEol, warning });
    return null;
  }

  private get bodyEol(): "\n" | "\r\n" {
    return this.bodyHasCrlf ? "\r\n" : "\n";
  }

  /** Why the block cannot be part of the proposal; null when it now is. */
  private capture(block: CapturedBlock, oldText: string): string | null {
    const removes = block.op === "remove";
    const effect = this.draft?.close(block.lines, this.bodyEol);
    if (!effect?.ok) return effect?.error ?? "there is nothing to apply it to";
    const { warning, clashes } = effect.value;
    for (const { blockId } of clashes) {
      const other = this.captured.find((candidate) => candidate.blockId === blockId);
      if (other?.status === "captured") this.settle(other, "refused", overlapReason(other.target, block.target));
    }
    if (clashes.length > 0) return overlapReason(block.target, ...clashes.map((clash) => clash.target));
    const deletes = removes || (block.lines.length === 0 && block.op !== "complete");
    block.status = "captured";
    block.deletionWarning = deletes ? null : deletionWarning(block.lines, oldText);
    warn(block, warning);
    block.addedLines = removes ? 0 : block.lines.length;
    block.removedLines = lineCount(oldText);
    return null;
  }

  private unclosed(textEnd: number): void {
    const current = this.current;
    this.current = null;
    if (!current) return;
    current.block.textEnd = textEnd;
    if (current.block.op === "complete") this.completeTaken = false;
    const { block } = current;
    if (block.status !== "streaming") {
      this.options.onBlock(block);
      return;
    }
    block.reportReason = unclosedReason(block.target);
    block.guards = [this.atLimit ? "length" : "unclosed"];
    this.settle(block, "incomplete", this.atLimit ? LENGTH_REASON : block.reportReason);
  }

  private settle(block: CapturedBlock, status: CapturedBlock["status"], reason: string): void {
    block.status = status;
    block.reason = reason;
    this.options.onBlock(block);
  }

  private newDraft(kind: "lines" | "ast"): Draft | null {
    const { document } = this.options;
    if (kind === "lines") return new LineDraft(this.snapshot, document);
    document?.pinPaths();
    return document ? new AstDraft(document) : null;
  }

  private add(opener: AddressOpener, textStart: number): CapturedBlock {
    const { written, op } = opener;
    const address = opener.kind === "address" ? opener.address : null;
    const target = address ? targetOf(address) : `\`${written}\``;
    return this.newBlock({ target, written, op, textStart });
  }

  private newBlock(part: Pick<CapturedBlock, "target" | "written" | "op" | "textStart">): CapturedBlock {
    const index = this.options.claims.nextIndex();
    const block = openedBlock({ ...part, blockId: `${this.options.callId}-${index}`, index, step: this.step });
    this.captured.push(block);
    return block;
  }
}

/** What is said of a block whose end never came. */
function unclosedReason(target: string): string {
  return `block for ${target} was not closed; nothing applied for it`;
}

/** What the user is told of a block that the length limit cut off. */
const LENGTH_REASON = "the model reached its length limit inside this block; nothing applied for it";

function modeOf(useLineNumbers: LineNumbersParameter): EditMode {
  if (useLineNumbers === undefined) return null;
  return useLineNumbers ? "lines" : "ast";
}

function refuse(block: CapturedBlock, reason: string): void {
  block.status = "refused";
  block.reason = reason;
}

function overlapReason(own: string, ...others: readonly string[]): string {
  const neither = others.length === 1 ? "neither" : "none of them";
  const all = [own, ...others];
  if (others.every((other) => other === own))
    return `${own} is changed by ${all.length === 2 ? "two" : all.length} blocks; ${neither} was applied`;
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)} overlap; ${neither} was applied`;
}

function warn(block: CapturedBlock, syntaxWarning: string | null): void {
  const sentences = [block.deletionWarning, syntaxWarning].filter((sentence) => sentence !== null);
  block.warning = sentences.length > 0 ? sentences.join(" ") : null;
  block.guards = [...(block.deletionWarning === null ? [] : ["deletion" as const]), ...(syntaxWarning === null ? [] : ["syntax" as const])];
}

function lineCount(text: string): number {
  return text === "" ? 0 : countLines(text.replace(/(\r\n|\r|\n)$/, ""));
}
