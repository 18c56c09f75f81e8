import { isWhitespaceCleanup } from "./documentSaver.ts";
import type { DocumentChange, ForeignChange } from "./documentSync.ts";

/** Who made a change: the user, or a save that cleans up. */
export type ChangeOrigin = "typed" | "cleaned-up";

/** A change of which it is known who made it. */
export interface AttributedChange {
  readonly change: ForeignChange;
  readonly origin: ChangeOrigin;
}

/** What may have changed the document beside typing. */
export interface CleanUp {
  /** What the editor itself changes when it saves. */
  readonly onSave: "nothing" | "blanks" | "anything";
  /** The user is in the document's editor. */
  readonly isInUse: boolean;
}

/**
 * Tells typing from what a save cleans up. The editor reports both alike: a gesture follows what is
 * typed, and a save what is cleaned up. Until one of them comes, a change that may be either is
 * undecided.
 */
export class ChangeOrigins {
  private undecided: AttributedChange | null = null;
  private last: DocumentChange | null = null;
  /** What came right after a change, and changes that came during a save. */
  private readonly signs = new WeakMap<DocumentChange, ChangeOrigin | "saving">();

  /** A change that may be either has come, and nothing tells yet. */
  get isUndecided(): boolean {
    return this.undecided !== null;
  }

  /** The editor reported a change, before it is known whether Graft made it. */
  reported(change: DocumentChange, isSaving: boolean): void {
    if (change.contentChanges.length > 0) this.last = change;
    if (isSaving && !this.signs.has(change)) this.signs.set(change, "saving");
  }

  /** Who made a change that Graft did not make; null while that is undecided. */
  of(foreign: ForeignChange, { onSave, isInUse }: CleanUp): ChangeOrigin | null {
    const { change, before, edits } = foreign;
    if (change?.repeated) return "typed";
    const sign = change && this.signs.get(change);
    const isSaving = sign === "saving";
    const tidies = (isSaving || onSave !== "nothing") && isWhitespaceCleanup(before, edits);
    // A command that changes one place tells by no gesture, but needs the editor's focus.
    const mayFormat = change !== null && (change.contentChanges.length > 1 || !isInUse);
    const formats = mayFormat && (isSaving || onSave === "anything");
    if (!tidies && !formats) return "typed";
    if (sign === "typed" || sign === "cleaned-up") return sign;
    // What is cleaned up is reported before the editor says that it saves; what is typed is
    // followed by a gesture.
    const origin = tidies || isSaving ? "cleaned-up" : "typed";
    if (!change || change !== this.last) return origin;
    this.undecided = { change: foreign, origin };
    return null;
  }

  /** Something tells who made the last change; null where nothing does. Gives what was undecided. */
  decide(origin: ChangeOrigin | null): AttributedChange | null {
    const { last } = this;
    if (last && origin) this.signs.set(last, origin);
    this.last = null;
    const decided = this.settle();
    return decided && { ...decided, origin: origin ?? decided.origin };
  }

  /** Another change came: nothing will tell of what was undecided, which this gives. */
  settle(): AttributedChange | null {
    const { undecided } = this;
    this.undecided = null;
    return undecided;
  }
}
