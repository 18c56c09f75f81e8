import { applyEdits, changesBetween, changesOf, editsOf, noChanges, type TextEdit } from "../../edits/text/changeSet.ts";
import { DocumentSaver, isWhitespaceCleanup } from "./documentSaver.ts";
import type { ProposalDocumentOptions } from "./proposalDocumentOptions.ts";
import { type DocumentChange, type EditorDocument, type ForeignChange, TrackedDocument } from "./trackedDocument.ts";
import { UndoSteps } from "./undoSteps.ts";

/** Milliseconds after which a document that the editor does not save is closed all the same: then the editor asks. */
const FINISH_LIMIT_MS = 15_000;

/**
 * The version of a document that nothing has changed yet. It is brought up to date by reading it again: an edit at this version could
 * meet the next document of the same name, if this one is closed and opened meanwhile.
 */
const FIRST_VERSION = 1;

type Changes = ReturnType<typeof noChanges>;

/**
 * A proposal's document in the editor. While the answer streams it is read-only: all that happens to it is Graft's. Once complete the
 * user may type in it; what Graft changes from then on are edits at a known version, so that everything else is the user's. The
 * document follows {@link text} as fast as the editor takes edits; what is typed meanwhile is carried over.
 */
export class ProposalDocument<D extends EditorDocument> {
  private readonly options: ProposalDocumentOptions<D>;
  private readonly tracked: TrackedDocument<D>;
  private wanted: string;
  /** From the document's text to the wanted one. */
  private owed: Changes;
  /** The part of {@link owed} that came after the edit under way. */
  private later: Changes;
  /** All of {@link owed} is what the user decided: then undoing it is theirs, too. */
  private isOwedByUser = true;
  private readonly undoSteps = new UndoSteps();
  /** The document of {@link undoSteps}. */
  private undoable: D | null = null;
  /** What is owed is only what the editor cleaned up while saving: it is put back with the next edit. */
  private isCleanedUp = false;
  private writable = false;
  /** The document has been seen unsaved, as only a writable one can be. */
  private seenWritable = false;
  /** The editor read the text last when it was writable. */
  private readWritable = false;
  /** Texts that the editor has read: until others or edits have changed the document, one of them is nobody's typing. */
  private readonly given = new Set<string>();
  /** The document that was opened last; the tracked one may be an earlier one until its last edit is answered. */
  private latest: D | null = null;
  /** Events of the document so far, and who waits for the next. */
  private heard = 0;
  private onHeard: (() => void)[] = [];
  private following = false;
  private finished = false;
  private ended = false;
  private readonly saver: DocumentSaver<D>;
  /** A change that may be typing or a clean-up, and what it is if nothing tells. */
  private undecided: ForeignChange | null = null;
  private fallback: "typed" | "cleaned-up" = "typed";
  private lastChange: DocumentChange | null = null;
  /** What came right after a change, and changes that came during a save. */
  private readonly signs = new WeakMap<DocumentChange, "typed" | "cleaned-up" | "saving">();
  private waiting: (() => void)[] = [];

  constructor(text: string, options: ProposalDocumentOptions<D>) {
    this.options = options;
    this.wanted = text;
    this.owed = noChanges(text.length);
    this.later = this.owed;
    this.tracked = new TrackedDocument(text, options.lineEnd, options.apply, (change) => this.foreign(change));
    this.saver = new DocumentSaver<D>({
      document: () => (this.writable ? this.tracked.document : null),
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
    return !this.ended && this.tracked.document !== null && (this.owesEdit || !this.tracked.isSettled);
  }

  /** Takes what is not yet known to be typing for typing, so that {@link text} holds all that the user sees. */
  takeTyping(): void {
    this.tracked.recheck();
    this.decide(null);
  }

  /** The user moved the cursor in this document by key or mouse, as typing does. */
  gesture(): void {
    this.decide("typed");
  }

  /** Changes the text by sorted edits. What the user decided they may undo in the document; what comes from elsewhere not. */
  advance(edits: readonly TextEdit[], textAfter: string, by: "user" | "others"): void {
    if (this.ended || edits.length === 0) return;
    if (this.owed.empty) this.isOwedByUser = true;
    this.isOwedByUser &&= by === "user";
    this.want(changesOf(edits, this.wanted.length), textAfter);
    this.follow();
  }

  /** The answer is complete: the user may type as soon as the document shows it. */
  complete(): void {
    if (this.ended || this.writable) return;
    this.tracked.recheck();
    if (this.isBehind) return void this.caughtUp().then(() => this.complete());
    this.writable = true;
    this.give(this.wanted);
    this.options.memory.announce();
  }

  /** Settles when the document shows {@link text}, is closed, or the proposal is over. */
  async caughtUp(): Promise<void> {
    this.isCleanedUp = false;
    this.follow();
    while (this.isBehind) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  /** The editor opened this document. */
  opened(document: D): void {
    if (this.ended) return;
    // Another language closes and opens a document, and the editor keeps what it can undo.
    if (document !== this.undoable) this.undoSteps.forget();
    this.undoable = document;
    this.latest = document;
    this.hear();
    this.tracked.open(document, "known", () => {
      this.seenWritable = false;
      this.saver.reset();
      this.owed = changesBetween(this.tracked.text, this.wanted);
      this.later = noChanges(this.wanted.length);
      // It may have been read before it became writable.
      if (this.writable && !this.readWritable) this.options.memory.announce();
      // After what has already been reported of the new document.
      queueMicrotask(() => this.follow());
    });
  }

  /** The editor changed this document. */
  changed(document: D, change: DocumentChange): void {
    this.hear();
    if (this.ended || document !== this.tracked.document) return;
    if (document.isDirty && !this.seenWritable) {
      this.seenWritable = true;
      this.options.memory.withdraw();
    }
    if (change.contentChanges.length > 0) {
      this.lastChange = change;
      this.saver.changed();
    }
    if (this.saver.saving && !this.signs.has(change)) this.signs.set(change, "saving");
    this.tracked.changed(change);
    this.saver.soon();
    this.progressed();
  }

  /** The editor is about to save this document; what it cleans up has just been reported, or will be. */
  willSave(byAutoSave: boolean): void {
    this.options.memory.withdraw();
    this.decide(byAutoSave ? null : "cleaned-up");
    this.saver.willSave();
  }

  /** The editor saved this document. */
  saved(): void {
    this.hear();
    this.decide(null);
    this.saver.saved();
  }

  /** The editor let go of this document. */
  closed(document: D): void {
    this.hear();
    if (document !== this.latest) return;
    this.latest = null;
    this.saver.stop();
    // An edit on its way may meet the document that is opened next: that must have the text the edit is for.
    if (!this.ended) this.give(this.tracked.text);
    this.tracked.close(() => {
      this.decide(null);
      this.saver.reset();
      this.keep();
      return this.wanted;
    });
    this.progressed();
  }

  /** The user went to another editor. */
  left(): void {
    this.saver.soon();
  }

  /** Nothing is left to decide: makes no more edits, and saves the document so that it can be closed without a question. */
  async finish(): Promise<void> {
    this.finished = true;
    await this.tracked.idle();
    // What was typed last may not be reported yet: a save is answered after it.
    this.saver.doubt();
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      this.hear();
    }, FINISH_LIMIT_MS);
    for (let document = this.saver.unsaved; document && !late; document = this.saver.unsaved) {
      const { heard } = this;
      // A save is refused while another one cleans up; that one tells its end.
      if ((await this.saver.save(document)) || heard !== this.heard) continue;
      // What the editor never let be typed in cannot be saved either.
      if (!this.seenWritable) break;
      await this.news();
    }
    clearTimeout(limit);
  }

  /** Forgets the text in memory; close its tabs first. */
  dispose(): void {
    this.ended = true;
    this.hear();
    this.saver.stop();
    this.options.memory.remove();
    this.progressed();
  }

  private get owesEdit(): boolean {
    return !this.owed.empty && !this.isCleanedUp && !this.finished;
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      this.onHeard.push(resolve);
    });
  }

  private hear(): void {
    this.heard += 1;
    for (const resolve of this.onHeard.splice(0)) resolve();
  }

  private want(changes: Changes, textAfter: string): void {
    this.isCleanedUp = false;
    this.owed = this.owed.compose(changes);
    this.later = this.later.compose(changes);
    this.wanted = textAfter;
    if (this.tracked.document) return;
    this.tracked.close(() => textAfter);
    this.keep();
  }

  /** No document shows it: the next one will read it. */
  private keep(): void {
    this.owed = noChanges(this.wanted.length);
    this.later = this.owed;
    if (!this.ended) this.give(this.wanted);
  }

  private give(text: string): void {
    const { writable } = this;
    this.options.memory.put(text, writable, () => {
      this.given.add(text);
      this.readWritable = writable;
    });
  }

  private follow(): void {
    if (!this.following && !this.ended) void this.followAll();
  }

  private async followAll(): Promise<void> {
    this.following = true;
    for (;;) {
      const { document } = this.tracked;
      if (!document || this.ended || !this.owesEdit || this.undecided) break;
      const target = this.wanted;
      const { heard } = this;
      if (document.version === FIRST_VERSION) {
        this.give(target);
        this.options.memory.announce();
        await this.news();
        continue;
      }
      this.later = noChanges(target.length);
      // Until the document is seen to be writable, the editor may still read it: again, or for a new document that this edit meets.
      if (!this.seenWritable) this.give(this.writable ? target : this.tracked.text);
      const [edits, before, isUsers] = [editsOf(this.owed), this.tracked.text, this.isOwedByUser];
      const made = await this.tracked.edit(edits, target, () => {
        this.undoSteps.made(edits, before, isUsers);
        this.owed = this.later;
      });
      if (made && this.writable && !this.seenWritable) {
        // An edit that leaves it saved met a document that is still read-only.
        this.give(this.tracked.text);
        this.options.memory.announce();
      } else if (made && this.writable) this.given.clear();
      this.progressed();
      // An edit is refused because of a change, which is reported sooner or later: until then it would be refused again.
      if (!made && heard === this.heard) await this.news();
    }
    this.following = false;
    this.saver.soon();
    this.progressed();
  }

  private foreign(change: ForeignChange): void {
    const { before, edits } = change;
    const repeated = change.change?.repeated ?? null;
    const isUsers = repeated === null ? this.writable : this.undoSteps.followed(repeated, edits, before);
    const isRead = repeated === null && (!this.writable || this.given.has(change.after));
    if (repeated === null) this.undoSteps.made(edits, before, isUsers && !isRead);
    if (!isRead) this.takeUndecided(null);
    if (!isRead && !isUsers) {
      this.given.clear();
      this.options.keptUndone();
    }
    if (isRead || !isUsers) {
      this.putBack(change.after);
      return;
    }
    const kind = this.kindOf(change);
    if (kind === "undecided") this.undecided = change;
    else this.take(change, kind);
  }

  /** The document has another text by nobody's will: it gets the wanted one again. */
  private putBack(text: string): void {
    this.owed = changesBetween(text, this.wanted);
    this.isOwedByUser = false;
    this.isCleanedUp = false;
    this.later = noChanges(this.wanted.length);
    this.follow();
  }

  private kindOf({ edits, before, change }: ForeignChange): "typed" | "cleaned-up" | "undecided" {
    const { document } = this.tracked;
    if (!document || change?.repeated) return "typed";
    const cleanUp = this.options.cleanUpOnSave(document);
    const sign = change && this.signs.get(change);
    const tidies = (sign === "saving" || cleanUp !== "nothing") && isWhitespaceCleanup(before, edits);
    const several = change !== null && change.contentChanges.length > 1;
    const formats = several && (sign === "saving" || cleanUp === "anything");
    if (!tidies && !formats) return "typed";
    if (sign === "typed" || sign === "cleaned-up") return sign;
    // What is cleaned up is reported before the editor says that it saves; what is typed is followed by a gesture.
    this.fallback = tidies || sign === "saving" ? "cleaned-up" : "typed";
    return change && change === this.lastChange ? "undecided" : this.fallback;
  }

  /** Something tells what the last change was; null where nothing does. */
  private decide(kind: "typed" | "cleaned-up" | null): void {
    const { lastChange } = this;
    if (lastChange && kind) this.signs.set(lastChange, kind);
    this.lastChange = null;
    this.takeUndecided(kind);
  }

  private takeUndecided(kind: "typed" | "cleaned-up" | null): void {
    const { undecided } = this;
    this.undecided = null;
    if (undecided) this.take(undecided, kind ?? this.fallback);
  }

  private take({ edits, before, after }: ForeignChange, kind: "typed" | "cleaned-up"): void {
    this.given.clear();
    if (kind === "cleaned-up") {
      this.isCleanedUp = !this.owesEdit;
      this.owed = changesBetween(after, this.wanted);
      this.isOwedByUser = false;
    } else {
      const own = changesOf(edits, before.length);
      const mapped = editsOf(own.map(this.owed));
      this.owed = this.owed.map(own, true);
      this.wanted = applyEdits(mapped, this.wanted);
      this.options.typed(mapped, this.wanted);
    }
    this.later = noChanges(this.wanted.length);
    this.follow();
  }

  /** What a save cleans up would disturb the user; what is undecided may be the beginning of a save. */
  private mustWait(document: D): boolean {
    if (this.ended || this.finished || this.undecided) return true;
    return this.options.cleanUpOnSave(document) !== "nothing" && this.options.isInUse();
  }

  private progressed(): void {
    if (!this.isBehind) for (const resolve of this.waiting.splice(0)) resolve();
    this.options.progressed();
  }
}
