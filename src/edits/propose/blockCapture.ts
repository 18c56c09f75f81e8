import { type FenceEvent, FenceScanner, type UnclearBody } from "../../base/text/fenceScanner.ts";
import { splitLines } from "../../base/text/lines.ts";
import type { Proposal } from "../../ports/review.ts";
import { AnswerText } from "../answer/answerText.ts";
import type { AddressFormat, BlockClaims, CaptureOptions } from "../answer/captureOptions.ts";
import { parseOpener, targetOf } from "../answer/parseOpener.ts";
import { addFenced, type Fenced, unsupportedFormats } from "../answer/unsupportedFormats.ts";
import { WholeFileChoice } from "../answer/wholeFileChoice.ts";
import {
  type Block,
  become,
  type Failure,
  linesOf,
  type OpenerFacts,
  refused,
  type WrittenBody,
} from "../block.ts";
import { endsInCode } from "../check/endsInCode.ts";
import { judgeBlocks } from "../check/judgeBlocks.ts";
import type { EditedFile } from "../place/editedFile.ts";
import type { StreamingMoment } from "../place/streamingText.ts";
import { proposalOf } from "./proposeBlocks.ts";
import { SessionBlocks } from "./sessionBlocks.ts";
import { type OpenPlace, SessionDraft } from "./sessionDraft.ts";

/** An edit whose ends are certain: what would follow its fence, and its code. */
interface CertainEdit {
  readonly info: string;
  readonly code: string;
}

/** Captures edits as the blocks of one message. */
export function captureEdits(
  options: CaptureOptions,
  step: number,
  edits: readonly CertainEdit[],
): BlockCapture {
  const claims: BlockClaims = { ...options.claims, ownerOf: () => "mine" };
  const capture = new BlockCapture({ ...options, claims });
  capture.startMessage(step);
  for (const { info, code } of edits) {
    const lines = splitLines(code).map(({ text, eol }) => ({ text, crlf: eol === "\r\n" }));
    // A last line break ends the last line.
    const body = lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
    capture.take([
      { type: "open", info, start: 0, above: "" },
      ...body.map((line) => ({ type: "line" as const, ...line })),
      { type: "close", end: 0 },
    ]);
  }
  capture.endMessage("whole");
  capture.finish();
  return capture;
}

interface Current {
  readonly blockId: string;
  /** Its body so far. */
  readonly lines: string[];
  eol: WrittenBody["eol"];
  /** Null where it has no place. */
  open: OpenPlace | null;
  /** True where a fence closed it for now. */
  isClosed: boolean;
}

/** Captures edit blocks from streaming text into a draft of the file. Synchronous. */
export class BlockCapture {
  private readonly options: CaptureOptions;
  private readonly answer = new AnswerText();
  private readonly draft: SessionDraft;
  /** Every block so far, in the order of the text. */
  readonly list: SessionBlocks;
  private scanner: FenceScanner;
  private current: Current | null = null;
  private step = 0;
  /** Where the message begins in the text of its step, and its code blocks. */
  private begin = 0;
  private fenced: Fenced[] = [];
  private whole = new WholeFileChoice();

  constructor(options: CaptureOptions) {
    this.options = options;
    this.list = new SessionBlocks((block) => options.onBlock(block));
    this.draft = new SessionDraft(options, (word) => this.answer.hasCode(word));
    this.scanner = new FenceScanner(options.claims.fencedFile);
  }

  /** The file as the session finds it. */
  get file(): EditedFile {
    return this.draft.file;
  }

  get mode(): AddressFormat {
    return this.draft.mode;
  }

  get blocks(): readonly Block[] {
    return this.list.all;
  }

  /** A message of the model begins; `step` is its number in the turn. */
  startMessage(step: number): void {
    this.scanner = new FenceScanner(this.options.claims.fencedFile);
    this.current = null;
    this.step = step;
    if (this.answer.message(step) !== "") this.answer.add(step, "\n");
    this.begin = this.answer.message(step).length;
    this.fenced = [];
  }

  /** Takes a piece of the text. True when the proposal may have changed. */
  push(chunk: string): boolean {
    this.answer.add(this.step, chunk);
    return this.take(this.found(this.scanner.push(chunk)));
  }

  /** The message is over; where it was cut, its last line may be incomplete. */
  endMessage(how: "whole" | "length" | "broken-off"): void {
    const rest = this.found(this.scanner.flush(how !== "whole"));
    this.take(rest, how === "length" ? "length-limit" : "unclosed");
    if (how !== "broken-off") this.refuseUnsupportedFormats();
  }

  /** True when there is something to show in {@link proposal}. */
  get proposes(): boolean {
    return (
      this.growing !== null ||
      this.blocks.some(({ status }) => status === "captured" || status === "pending")
    );
  }

  /** The text proposed so far, with the complete lines of the block that is being written. */
  proposal(): Proposal {
    const step = this.growing?.step() ?? null;
    const change = this.file.bom === "" ? step?.change : null;
    return { ...this.proposalWith(step?.now ?? null), ...(change && { change }) };
  }

  /** The same without the block that is being written. */
  completeProposal(): Proposal {
    return this.proposalWith(null);
  }

  private proposalWith(moment: StreamingMoment | null): Proposal {
    const written = moment && { ...moment, blockId: this.current?.blockId ?? "" };
    return proposalOf(this.blocks, this.draft.placer, this.file, written);
  }

  /** The lines of the block that is being written; null where there are none to show. */
  private get growing(): OpenPlace["place"]["growing"] {
    return (!this.current?.isClosed && this.current?.open?.place.growing) || null;
  }

  /** Everything is in: judges the blocks by the whole. Afterwards the captured ones are final. */
  finish(): void {
    const { answer, file, list } = this;
    const { placer } = this.draft;
    if (!placer) return;
    list.warn(
      judgeBlocks(list.captured, placer, file, (name, { step, textStart: start, textEnd }) =>
        answer.hasWord(name, { step, start, end: textEnd ?? 0 }),
      ),
    );
  }

  /** Warns of blocks whose elements the user edited meanwhile; `now` is the file's text. */
  compareWith(now: string): void {
    const edited = this.draft.changedIn(now);
    this.list.warn(({ blockId, warnings }) =>
      edited.has(blockId) ? [...warnings, { code: "edited-meanwhile" }] : warnings,
    );
  }

  /** The user stopped the answer: settles the block that is open. */
  stop(): void {
    const events = this.scanner.flush(true);
    const isOpen = (event: FenceEvent) => event.type === "unclosed";
    this.take(events.filter((event) => !isOpen(event)));
    this.list.settle({ status: "stopped", reason: { code: "stopped" } }, ["streaming"]);
    this.take(events.filter(isOpen));
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
    if (this.mode === "lines") this.draft.placer = null;
  }

  private found(events: readonly FenceEvent[]): readonly FenceEvent[] {
    addFenced(this.fenced, events);
    return events;
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
      seen ||= event.type !== "line" || this.growing !== null;
    }
    return seen;
  }

  /** An error of Graft's own costs the block that is open; the others stay. */
  private fail(error: unknown): void {
    const { current } = this;
    this.current = null;
    this.options.onFailure?.(error);
    this.list.fail(current?.blockId, error);
  }

  private open(info: string, above: string, textStart: number): void {
    this.current = null;
    const { claims } = this.options;
    const opener = parseOpener(info, {
      isOpenFile: (file) => claims.isOpenFile(file),
      namesElement: (path) => this.file.namesElement(path),
    });
    if (opener.kind === "plain") {
      if (this.mode === "complete") this.openPlain(info, above, textStart);
      return;
    }
    const owner = claims.ownerOf(info, above);
    if (owner === "other") return;
    const { op, written } = opener;
    const isValid = opener.kind === "address";
    const line = isValid ? linesOf(opener.address)?.start : undefined;
    const { block, current } = this.enter({
      target: isValid ? targetOf(opener.address) : `\`${written}\``,
      written,
      ...(line !== undefined && { line }),
      format: isValid ? opener.address.kind : opener.format,
      op,
      textStart,
      ...(isValid && { address: opener.address, checks: opener.checks }),
    });
    const found =
      owner !== "mine"
        ? refused(owner)
        : isValid
          ? this.draft.openAt(opener.address, block)
          : refused(opener.reason);
    if ("place" in found) current.open = found;
    this.list.put("place" in found ? found.block : become(block, found));
  }

  /** Takes a plain block as the whole file, or refuses it, where it may be that. */
  private openPlain(info: string, above: string, textStart: number): void {
    const fit = this.options.claims.takesPlain(info, above);
    if (fit === null || (typeof fit === "string" && !this.whole.admits(fit))) return;
    const target = "complete file";
    const named = { target, written: target, format: "complete", op: "complete" } as const;
    const { block, current } = this.enter({ ...named, textStart });
    const { blockId } = block;
    const outcomes =
      typeof fit === "string" ? this.whole.offer(blockId, fit) : [{ blockId, ...refused(fit) }];
    if (this.whole.taken === null) this.draft.placer = null;
    else if (this.whole.taken === blockId) {
      current.open = this.draft.openWhole(block);
      this.list.put(block);
    }
    for (const { blockId: other, status, reason } of outcomes)
      if (this.list.get(other)?.reason?.code !== "unclear-end")
        this.list.drop(other, { status, reason });
  }

  /** A bare fence may close the block: it is complete until the fence turns out to be text. */
  private closeForNow(textEnd: number): void {
    const { current } = this;
    if (!current?.open?.place.reopen || current.isClosed) return;
    const closed = this.closed(current, current.open);
    current.isClosed = true;
    this.list.put(become(closed, { textEnd }));
  }

  private line(text: string, crlf: boolean): void {
    const { current } = this;
    if (!current) return;
    this.reopen(current);
    if (crlf) current.eol = "\r\n";
    current.lines.push(text);
    current.open?.place.growing?.addLine(text);
  }

  /** Opens a block again that a fence closed for now: it is what it was before. */
  private reopen(current: Current): void {
    if (!current.isClosed || !current.open) return;
    current.isClosed = false;
    current.open.place.reopen?.();
    this.list.put(current.open.block);
  }

  private close(textEnd: number, unclear: UnclearBody | null): void {
    const { current } = this;
    if (!current) return;
    if (unclear) this.reopen(current);
    const { open } = current;
    if (!open || current.isClosed) {
      this.leave(current, textEnd);
      return;
    }
    const isProven =
      unclear === "unproven" && endsInCode(open.place, open.block.op, this.file.document);
    const code = unclear === "indent" ? "unclear-indent" : "unclear-end";
    const next =
      unclear && !isProven ? become(open.block, refused({ code })) : this.closed(current, open);
    this.leave(current, textEnd, next);
  }

  /** The scanner has left the block, which is `next`, if that is given. */
  private leave({ blockId }: Current, textEnd: number, next = this.list.get(blockId)): void {
    this.current = null;
    if (!next) return;
    const left = become(next, { textEnd });
    if (left.status === "held") this.options.onHeld?.(left);
    this.list.put(left);
  }

  /** Puts a closed block into the draft, unless a guard stops it. */
  private closed({ lines, eol }: Current, open: OpenPlace): Block {
    const next = this.draft.take(open, { lines: [...lines], eol });
    if (next.reason?.code === "overlap") this.dropOverlapping(next);
    return next;
  }

  /** Neither a block nor those that it overlaps with stay. */
  private dropOverlapping({ target }: Block): void {
    const ranges = this.draft.placer?.ranges();
    for (const { blockId, target: other } of this.list.captured)
      if (!ranges?.has(blockId))
        this.list.drop(blockId, refused({ code: "overlap", targets: [other, target] }));
  }

  private unclosed(textEnd: number, code: "unclosed" | "length-limit"): void {
    const { current } = this;
    if (!current) return;
    const block = this.list.get(current.blockId);
    if (block?.op === "complete") this.whole = new WholeFileChoice();
    const failure: Failure = { status: "incomplete", reason: { code } };
    this.leave(current, textEnd, block?.status === "streaming" ? become(block, failure) : block);
  }

  /** Answers what looks like an edit of this file, or of none, but is in no form of one. */
  private refuseUnsupportedFormats(): void {
    const { claims } = this.options;
    const message = this.answer.message(this.step).slice(this.begin);
    for (const { form, line, start, file } of unsupportedFormats(message, this.fenced, claims)) {
      if (!claims.reportsOn(file)) continue;
      const names = { target: line, written: line, op: "replace", textStart: start } as const;
      const block = this.list.open({ ...names, ...this.numbered() });
      const failure = refused({ code: "other-form", form });
      this.list.put(become(block, { ...failure, textEnd: start }));
    }
  }

  private enter(opener: Omit<OpenerFacts, "blockId" | "index" | "step">): {
    readonly block: Block<"streaming">;
    readonly current: Current;
  } {
    const block = this.list.open({ ...opener, ...this.numbered() });
    const state = { open: null, isClosed: false };
    const current: Current = { blockId: block.blockId, lines: [], eol: "\n", ...state };
    this.current = current;
    return { block, current };
  }

  private numbered(): Pick<OpenerFacts, "blockId" | "index" | "step"> {
    const index = this.options.claims.nextIndex();
    return { blockId: `${this.options.callId}-${index}`, index, step: this.step };
  }
}
