import type { Disposable } from "../base/disposable.ts";
import { countTextLines } from "../base/text/lines.ts";
import { thrownText } from "../base/text/sentence.ts";
import type { Review, ReviewOrigin } from "../ports/review.ts";
import type { FileRef, FileSnapshot } from "../ports/workspace.ts";
import type { SyntaxDocument } from "../syntax/syntax.ts";
import type { View } from "../tools/files/viewedFiles.ts";
import type { EmitTurnEvent, MessageEnd, StreamListener } from "../turns/streamRegistry.ts";
import type { TurnEventBody } from "../turns/turnEvent.ts";
import type { AddressFormat, LineNumbersParameter } from "./answer/captureOptions.ts";
import type { OpenFile, OpenSessions } from "./answer/openSessions.ts";
import type { AddressOpener } from "./answer/parseOpener.ts";
import { type Block, editBlockOf, isApplied, isPending } from "./block.ts";
import type { EditModeDeps } from "./editModeDeps.ts";
import { EditedFile } from "./place/editedFile.ts";
import { BlockCapture } from "./propose/blockCapture.ts";
import { cutOffReport, editReport } from "./propose/editReport.ts";
import { proposeBlocks } from "./propose/proposeBlocks.ts";
import { rewriteDocument } from "./text/changeSet.ts";

/** Why a session ended. */
export type SessionEndReason = Extract<TurnEventBody, { type: "edit-session-end" }>["reason"];

/** What a session works on and with. */
export interface EditSessionOptions extends EditModeDeps {
  readonly turnId: string;
  readonly callId: string;
  readonly snapshot: FileSnapshot;
  /** The snapshot's text without a byte order mark, parsed, or null; the session disposes of it. */
  readonly document: SyntaxDocument | null;
  /** What decides the mode, and the parameter as the model gave it. */
  readonly asked: AddressFormat;
  readonly parameter: LineNumbersParameter;
  readonly emit: EmitTurnEvent;
  readonly sessions: OpenSessions<EditSession>;
  /** Turns edit mode on again for a model that cannot; gives the reply, or null. Else null. */
  readonly renew: (() => Promise<string | null>) | null;
}

/** How many messages in a row without a usable block, or cut off, are answered. */
const MAX_FAILED_MESSAGES = 1;
const MAX_CUT_OFF_MESSAGES = 2;

/** One request to edit one file: shows the growing proposal, leaves it pending, and reports. */
export class EditSession implements StreamListener, OpenFile {
  private readonly options: EditSessionOptions;
  private capture: BlockCapture;
  private snapshot: FileSnapshot;
  private registration: Disposable | null = null;
  private review: Review | null = null;
  private step = 0;
  private ended = false;
  /** The complete blocks are not the ones on record. */
  private unkept = false;
  private readonly complete = new Set<string>();
  kept: Promise<void> | null = null;
  private failedMessages = 0;
  private cutOffMessages = 0;

  constructor(options: EditSessionOptions) {
    this.options = options;
    this.snapshot = options.snapshot;
    this.capture = this.newCapture();
  }

  get file(): FileRef {
    return this.snapshot.file;
  }

  /** True while it waits for the whole file as a plain block. */
  get awaitsPlain(): boolean {
    return this.capture.mode === "complete";
  }

  get baseText(): string {
    return this.capture.file.text;
  }

  namesElement(path: string): boolean {
    return this.capture.file.namesElement(path);
  }

  holds(opener: AddressOpener): boolean {
    if (opener.kind !== "address" || this.awaitsPlain) return false;
    const { shown, turnId } = this.options;
    return this.capture.file.holds(opener.address, opener.checks, (first, last) =>
      shown.looks(this.file.path, turnId, first, last),
    );
  }

  get mode(): AddressFormat {
    return this.capture.mode;
  }

  /** Opens the session; `register` makes it receive the stream. */
  start(register: (listener: StreamListener) => Disposable): void {
    const { callId, emit, sessions, snapshot } = this.options;
    sessions.add(this);
    emit({
      type: "edit-session-start",
      callId,
      path: this.file.path,
      exists: snapshot.exists,
      mode: this.mode,
    });
    const registration = register(this);
    if (this.ended) registration.dispose();
    else this.registration = registration;
  }

  messageStart(step: number): void {
    this.step = step;
    const seen = this.options.shown.latest(this.file.path, this.options.turnId);
    if (seen && !this.hasCaptured()) this.restartFrom(seen);
    this.capture.startMessage(step);
  }

  text(delta: string): void {
    if (this.ended || !this.capture.push(delta)) return;
    if (this.review || this.capture.proposes)
      this.openReview().update(() => this.capture.proposal());
    if (!this.unkept || !this.review) return;
    this.unkept = false;
    const kept = this.review.keep(this.capture.completeProposal());
    this.kept = kept;
    void kept.finally(() => {
      if (this.kept === kept) this.kept = null;
    });
  }

  textWasReasoning(): void {
    if (this.ended) return;
    this.capture.list.withdraw();
    this.restart(this.capture.file.text);
    this.capture.startMessage(this.step);
  }

  textMayBeReasoning(): void {
    if (this.ended) return;
    this.capture.doubt();
    this.updateReview();
  }

  async messageEnd(end: MessageEnd, signal: AbortSignal): Promise<string | null> {
    if (this.ended) return null;
    const whole = end.reason === "stop" || end.reason === "tool-calls" || end.reason === "unknown";
    const stopped = signal.aborted || end.reason === "cancelled";
    if (stopped) this.capture.stop();
    this.capture.endMessage(whole ? "whole" : end.reason === "length" ? "length" : "broken-off");
    if (stopped || (!whole && end.reason !== "length")) return this.brokenOff(stopped);
    if (end.reason === "length" && this.cutOffMessages < MAX_CUT_OFF_MESSAGES) return this.cutOff();
    this.cutOffMessages = 0;
    if (!this.hasCaptured()) return this.nothingCaptured(end.moreCalls);
    const text = await this.propose(signal, false);
    if (text === null) return null;
    const report = this.report(text);
    this.end("completed");
    const renewed = signal.aborted || !this.hasFailed() ? null : await this.options.renew?.();
    return renewed ? `${report}\n\n${renewed}` : report;
  }

  dispose(): void {
    this.end("disposed");
  }

  /** Ends the session, once, and settles its open blocks. */
  end(reason: SessionEndReason): void {
    if (this.ended) return;
    const { callId, document, emit, sessions } = this.options;
    const code = reason === "replaced" ? "session-replaced" : "session-ended";
    this.capture.list.settle({ status: "incomplete", reason: { code } });
    this.ended = true;
    sessions.remove(this);
    this.registration?.dispose();
    this.review?.dispose();
    document?.dispose();
    emit({ type: "edit-session-end", callId, reason });
  }

  /** The model has read the file again, so its next blocks are for the newer text. */
  private restartFrom({ text, version }: View): void {
    const bom = this.snapshot.text.startsWith("\uFEFF") ? "\uFEFF" : "";
    if (text === null || bom + text === this.snapshot.text) return;
    this.snapshot = { ...this.snapshot, exists: true, text: bom + text, version };
    this.restart(text);
  }

  /** Captures anew, on a text without its byte order mark. */
  private restart(text: string): void {
    const { document } = this.options;
    if (document) rewriteDocument(document, text);
    this.unkept = false;
    this.capture = this.newCapture();
    this.review?.dispose();
    this.review = null;
  }

  private newCapture(): BlockCapture {
    const { turnId, callId, document, asked, parameter, sessions, shown, held } = this.options;
    const { file, text } = this.snapshot;
    return new BlockCapture({
      callId,
      file: new EditedFile(file, text, document),
      mode: asked,
      parameter,
      claims: sessions.claimsOf(this),
      looks: (first, last) => shown.looks(file.path, turnId, first, last),
      views: () => shown.views(file.path, turnId),
      onBlock: (block) => this.emitBlock(block),
      onFailure: (error) =>
        this.options.logger?.error(`A block of ${file.path} failed: ${thrownText(error)}`),
      onHeld: (block) => held.keep({ turnId, callId, file, base: text, block }),
    });
  }

  private cutOff(): string {
    this.cutOffMessages += 1;
    this.updateReview();
    const report = cutOffReport(this.file.path, this.capture.blocks);
    this.capture.forgetFailed();
    return report;
  }

  /** Proposes what was complete before a response broke off; the user accepts. */
  private async brokenOff(stopped: boolean): Promise<string | null> {
    const text = this.hasCaptured() ? await this.propose(new AbortController().signal, true) : "";
    const report = this.capture.blocks.length > 0 && text !== null ? this.report(text) : null;
    this.end(stopped ? "cancelled" : "error");
    return report;
  }

  /** Without a usable block the session stays open while tools run, and once for a second try. */
  private nothingCaptured(moreCalls: boolean): string | null {
    this.updateReview();
    const tried = this.capture.blocks.length > 0;
    if (moreCalls && !tried) return null;
    const again = this.failedMessages >= MAX_FAILED_MESSAGES;
    const report = again && !tried ? null : this.report("");
    this.failedMessages += 1;
    this.capture.forgetFailed();
    if (again && !moreCalls) this.end("error");
    return report;
  }

  /** Leaves captured blocks to the user; gives the text with them, null for an ended session. */
  private async propose(signal: AbortSignal, stopped: boolean): Promise<string | null> {
    const { emit, shown, workspace } = this.options;
    this.capture.finish();
    const now = await workspace.read(this.file, signal);
    if (this.ended) return null;
    if (now.ok) this.capture.compareWith(now.value.text);
    const proposal = this.capture.proposal();
    const { origin } = this;
    const blocks = this.capture.blocks.filter(({ status }) => status === "captured");
    const proposed = await proposeBlocks(
      this.openReview(),
      { file: this.file, origin, blocks, proposal, stopped },
      emit,
      shown,
    );
    this.review = null;
    this.capture.list.decided(proposed.blocks);
    return proposed.text ?? "";
  }

  private report(text: string): string {
    const { blocks, mode } = this.capture;
    const isOneOfSeveral = this.options.sessions.paths.length > 1;
    return editReport({
      path: this.file.path,
      mode,
      blocks,
      lineCount: countTextLines(text),
      isOneOfSeveral,
    });
  }

  private hasCaptured(): boolean {
    return this.capture.blocks.some(({ status }) => status === "captured");
  }

  /** True when a block failed, other than by the user's decision. */
  private hasFailed(): boolean {
    return this.capture.blocks.some(
      (block) => !isApplied(block) && !isPending(block) && block.status !== "rejected",
    );
  }

  private updateReview(): void {
    this.review?.update(() => this.capture.proposal());
  }

  private openReview(): Review {
    this.review ??= this.options.reviewer.open(this.snapshot, this.origin);
    return this.review;
  }

  private get origin(): ReviewOrigin {
    const { chatId, turnId, callId, agent } = this.options;
    return { chatId, turnId, callId, ...(agent !== undefined && { agent }) };
  }

  private emitBlock(block: Block): void {
    if (this.ended) return;
    const { blockId, status } = block;
    // A block that goes on after a supposed end is no longer complete.
    this.unkept ||= status !== "streaming" || this.complete.has(blockId);
    if (status === "streaming") this.complete.delete(blockId);
    else this.complete.add(blockId);
    this.options.emit({
      type: "edit-update",
      edit: editBlockOf(block, this.options.callId, this.file.path),
    });
  }
}
