import { EventCount } from "../../base/eventCount.ts";
import { applyEdits, changesOf, editsOf, type TextEdit } from "../../edits/text/changeSet.ts";
import { type AttributedChange, type ChangeOrigin, ChangeOrigins } from "./changeOrigins.ts";
import { type DocumentEvent, type DocumentPhase, nextPhase } from "./documentPhase.ts";
import { DocumentSaver } from "./documentSaver.ts";
import {
  type DocumentChange,
  DocumentSync,
  type EditorDocument,
  type ForeignChange,
} from "./documentSync.ts";
import {
  landed,
  nothingPending,
  type PendingEdits,
  pendingBetween,
  sent,
  withTyping,
  withWanted,
} from "./pendingEdits.ts";
import type { ProposalDocumentOptions } from "./proposalDocumentOptions.ts";
import { UndoSteps } from "./undoSteps.ts";

/**
 * Milliseconds after which a document that the editor does not save is closed all the same: then
 * the editor asks.
 */
const FINISH_LIMIT_MS = 15_000;

/**
 * The version of a document that nothing has changed yet. It is read again instead of edited: an
 * edit at this version could meet the next document of the same name.
 */
const FIRST_VERSION = 1;

/**
 * A proposal's document in the editor. While the answer streams it is read-only: all that happens
 * to it is Graft's. Once complete the user may type in it; what Graft changes from then on are
 * edits at a known version, so that everything else is the user's. The document follows {@link
 * text} as fast as the editor takes edits; what is typed meanwhile is carried over.
 */
export class ProposalDocument<D extends EditorDocument> {
  private readonly options: ProposalDocumentOptions<D>;
  private readonly sync: DocumentSync<D>;
  private readonly saver: DocumentSaver<D>;
  private readonly origins = new ChangeOrigins();
  private readonly undoSteps = new UndoSteps();
  private readonly events = new EventCount();
  /**
   * Texts that the editor has read: until others or edits have changed the document, one of them is
   * nobody's typing.
   */
  private readonly given = new Set<string>();
  private phase: DocumentPhase = "streaming";
  private wanted: string;
  private pending: PendingEdits;
  /** The editor read the text last when it was writable. */
  private isReadWritable = false;
  /** The document has been seen unsaved, as only a writable one can be. */
  private isSeenWritable = false;
  /**
   * The document that was opened last; `sync` may follow an earlier one until its last edit is
   * answered.
   */
  private latest: D | null = null;
  private following = false;
  private waiting: (() => void)[] = [];

  constructor(text: string, options: ProposalDocumentOptions<D>) {
    this.options = options;
    this.wanted = text;
    this.pending = nothingPending(text);
    this.sync = new DocumentSync(text, options.lineEnd, options.apply, (change) =>
      this.foreign(change),
    );
    this.saver = new DocumentSaver<D>({
      document: () => (this.isWritable ? this.sync.document : null),
      save: options.save,
      mustWait: (document) => this.mustWait(document),
      begins: () => this.takeTyping(),
      ended: () => this.decide(null),
    });
    this.give(text);
  }

  /** The text as it should be; the document may be behind. */
  get text(): string {
    return this.wanted;
  }

  /** True while an open document does not show {@link text}. */
  get isBehind(): boolean {
    return !this.isOver && this.sync.document !== null && (this.owesEdit || !this.sync.isSettled);
  }

  /**
   * Takes what is not yet known to be typing for typing, so that {@link text} holds all that the
   * user sees.
   */
  takeTyping(): void {
    this.sync.recheck();
    this.decide(null);
  }

  /** The user moved the cursor in this document by key or mouse, as typing does. */
  gesture(): void {
    this.decide("typed");
  }

  /**
   * Changes the text by sorted edits. What the user decided they may undo in the document; what
   * comes from elsewhere not.
   */
  advance(edits: readonly TextEdit[], textAfter: string, by: "user" | "others"): void {
    if (this.isOver || edits.length === 0) return;
    const changes = changesOf(edits, this.wanted.length);
    this.pending = withWanted(this.pending, changes, by === "user");
    this.wanted = textAfter;
    if (!this.sync.document) {
      this.sync.close(() => textAfter);
      this.keepText();
    }
    this.follow();
  }

  /** The answer is complete: the user may type as soon as the document shows it. */
  complete(): void {
    if (this.phase !== "streaming") return;
    this.sync.recheck();
    if (this.isBehind) return void this.caughtUp().then(() => this.complete());
    this.enter("completed");
    this.give(this.wanted);
    this.options.memory.announce();
  }

  /** Settles when the document shows {@link text}, is closed, or the proposal is over. */
  async caughtUp(): Promise<void> {
    this.pending = { ...this.pending, isCleanUp: false };
    this.follow();
    while (this.isBehind) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  /** The editor opened this document. */
  opened(document: D): void {
    if (this.isOver) return;
    this.undoSteps.follow(document);
    this.latest = document;
    this.events.count();
    this.sync.open(document, "known", () => {
      this.isSeenWritable = false;
      this.saver.reset();
      const { byUser, isCleanUp } = this.pending;
      this.pending = { ...pendingBetween(this.sync.text, this.wanted, isCleanUp), byUser };
      // It may have been read before it became writable.
      if (this.isWritable && !this.isReadWritable) this.options.memory.announce();
      // After what has already been reported of the new document.
      queueMicrotask(() => this.follow());
    });
  }

  /** The editor changed this document. */
  documentChanged(document: D, change: DocumentChange): void {
    this.events.count();
    if (this.isOver || document !== this.sync.document) return;
    if (document.isDirty && !this.isSeenWritable) {
      this.isSeenWritable = true;
      this.options.memory.withdraw();
    }
    if (change.contentChanges.length > 0) this.saver.textChanged();
    this.origins.reported(change, this.saver.saving);
    this.sync.documentChanged(change);
    this.saver.soon();
    this.progressed();
  }

  /**
   * The editor is about to save this document; what it cleans up has just been reported, or will
   * be.
   */
  willSave(byAutoSave: boolean): void {
    this.options.memory.withdraw();
    this.decide(byAutoSave ? null : "cleaned-up");
    this.saver.willSave();
  }

  /** The editor saved this document. */
  saved(): void {
    this.events.count();
    this.decide(null);
    this.saver.saved();
  }

  /** The editor let go of this document. */
  closed(document: D): void {
    this.events.count();
    if (document !== this.latest) return;
    this.latest = null;
    this.saver.stop();
    // An edit on its way may meet the document that is opened next: that must have the text the
    // edit is for.
    if (!this.isOver) this.give(this.sync.text);
    this.sync.close(() => {
      this.decide(null);
      this.saver.reset();
      this.keepText();
      return this.wanted;
    });
    this.progressed();
  }

  /** The user went to another editor. */
  left(): void {
    this.saver.soon();
  }

  /**
   * Nothing is left to decide: makes no more edits, and saves the document so that it can be closed
   * without a question.
   */
  async finish(): Promise<void> {
    this.enter("decided");
    await this.sync.idle();
    // What was typed last may not be reported yet: a save is answered after it.
    this.saver.doubt();
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      this.events.count();
    }, FINISH_LIMIT_MS);
    for (let document = this.saver.unsaved; document && !late; document = this.saver.unsaved) {
      const { counted } = this.events;
      // A save is refused while another one cleans up; that one tells its end.
      if ((await this.saver.save(document)) || counted !== this.events.counted) continue;
      // What the editor never let be typed in cannot be saved either.
      if (!this.isSeenWritable) break;
      await this.events.next();
    }
    clearTimeout(limit);
  }

  /** Forgets the text in memory; close its tabs first. */
  dispose(): void {
    this.enter("disposed");
    this.events.count();
    this.saver.stop();
    this.options.memory.remove();
    this.progressed();
  }

  private get isOver(): boolean {
    return this.phase === "over";
  }

  /** The user may type in it, as far as Graft is concerned. */
  private get isWritable(): boolean {
    return this.phase !== "streaming" && this.phase !== "withdrawn";
  }

  private get owesEdit(): boolean {
    const { all, isCleanUp } = this.pending;
    return !all.empty && !isCleanUp && (this.phase === "streaming" || this.phase === "editable");
  }

  private enter(event: DocumentEvent): void {
    this.phase = nextPhase(this.phase, event);
  }

  /** No document shows it: the next one will read it. */
  private keepText(): void {
    this.pending = nothingPending(this.wanted);
    if (!this.isOver) this.give(this.wanted);
  }

  private give(text: string): void {
    const { isWritable } = this;
    this.options.memory.put(text, isWritable, () => {
      this.given.add(text);
      this.isReadWritable = isWritable;
    });
  }

  private follow(): void {
    if (!this.following && !this.isOver) void this.followAll();
  }

  private async followAll(): Promise<void> {
    this.following = true;
    for (;;) {
      const { document } = this.sync;
      if (!document || !this.owesEdit || this.origins.isUndecided) break;
      const target = this.wanted;
      const { counted } = this.events;
      if (document.version === FIRST_VERSION) {
        this.give(target);
        this.options.memory.announce();
        await this.events.next();
        continue;
      }
      this.pending = sent(this.pending, target);
      // Until the document is seen to be writable, the editor may still read it: again, or for a
      // new document that this edit meets.
      if (!this.isSeenWritable) this.give(this.isWritable ? target : this.sync.text);
      const { all, byUser } = this.pending;
      const [edits, before] = [editsOf(all), this.sync.text];
      const made = await this.sync.edit(edits, target, () => {
        this.undoSteps.made(edits, before, byUser);
        this.pending = landed(this.pending);
      });
      if (made && this.isWritable && !this.isSeenWritable) {
        // An edit that leaves it saved met a document that is still read-only.
        this.give(this.sync.text);
        this.options.memory.announce();
      } else if (made && this.isWritable) this.given.clear();
      this.progressed();
      // An edit is refused because of a change, which is reported sooner or later: until then it
      // would be refused again.
      if (!made && counted === this.events.counted) await this.events.next();
    }
    this.following = false;
    this.saver.soon();
    this.progressed();
  }

  private foreign(change: ForeignChange): void {
    const { before, edits } = change;
    const repeated = change.change?.repeated ?? null;
    const isUsers =
      repeated === null ? this.isWritable : this.undoSteps.followed(repeated, edits, before);
    const isRead = repeated === null && (!this.isWritable || this.given.has(change.after));
    if (repeated === null) this.undoSteps.made(edits, before, isUsers && !isRead);
    if (!isRead) this.takeAttributed(this.origins.settle());
    if (!isRead && !isUsers) {
      this.given.clear();
      this.options.keptUndone();
    }
    if (isRead || !isUsers) {
      this.putBack(change.after);
      return;
    }
    const { document } = this.sync;
    const origin = document
      ? this.origins.of(change, {
          onSave: this.options.cleanUpOnSave(document),
          isInUse: this.options.isInUse(),
        })
      : "typed";
    if (origin) this.takeChange(change, origin);
  }

  /** The document has another text by nobody's will: it gets the wanted one again. */
  private putBack(text: string): void {
    this.pending = pendingBetween(text, this.wanted);
    this.follow();
  }

  /** Something tells who made the last change; null where nothing does. */
  private decide(origin: ChangeOrigin | null): void {
    this.takeAttributed(this.origins.decide(origin));
  }

  private takeAttributed(attributed: AttributedChange | null): void {
    if (attributed) this.takeChange(attributed.change, attributed.origin);
  }

  private takeChange({ edits, before, after }: ForeignChange, origin: ChangeOrigin): void {
    this.given.clear();
    if (origin === "cleaned-up") {
      this.pending = pendingBetween(after, this.wanted, !this.owesEdit);
    } else {
      const own = changesOf(edits, before.length);
      const mapped = editsOf(own.map(this.pending.all));
      this.wanted = applyEdits(mapped, this.wanted);
      this.pending = withTyping(this.pending, own, this.wanted);
      this.options.typed(mapped, this.wanted);
    }
    this.follow();
  }

  /**
   * What a save cleans up would disturb the user; what is undecided may be the beginning of a save.
   */
  private mustWait(document: D): boolean {
    const mayChange = this.phase === "streaming" || this.phase === "editable";
    if (!mayChange || this.origins.isUndecided) return true;
    return this.options.cleanUpOnSave(document) !== "nothing" && this.options.isInUse();
  }

  private progressed(): void {
    if (!this.isBehind) for (const resolve of this.waiting.splice(0)) resolve();
    this.options.progressed();
  }
}
