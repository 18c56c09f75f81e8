import { changesBetween, noChanges } from "../../edits/text/changeSet.ts";

/** Changes of a text, from one to another. */
export type Changes = ReturnType<typeof noChanges>;

/** What a document still needs to show its text. Immutable. */
export interface PendingEdits {
  /** From the document's text to the wanted one. */
  readonly all: Changes;
  /** The part of {@link all} that came after the edit under way. */
  readonly sinceSent: Changes;
  /** All of it is what the user decided: then undoing it is theirs, too. */
  readonly byUser: boolean;
  /** It is only what a save cleaned up: it is put back with the next edit. */
  readonly isCleanUp: boolean;
}

/** The document shows `text`. */
export function nothingPending(text: string): PendingEdits {
  const none = noChanges(text.length);
  return { all: none, sinceSent: none, byUser: true, isCleanUp: false };
}

/** The document has `shown`, and nobody wanted that. */
export function pendingBetween(shown: string, wanted: string, isCleanUp = false): PendingEdits {
  const sinceSent = noChanges(wanted.length);
  return { all: changesBetween(shown, wanted), sinceSent, byUser: false, isCleanUp };
}

/** Graft changed the wanted text, for the user or for others. */
export function withWanted(pending: PendingEdits, changes: Changes, byUser: boolean): PendingEdits {
  return {
    all: pending.all.compose(changes),
    sinceSent: pending.sinceSent.compose(changes),
    byUser: (pending.all.empty || pending.byUser) && byUser,
    isCleanUp: false,
  };
}

/** The user changed the document by `own`, and the wanted text by what that is there. */
export function withTyping(pending: PendingEdits, own: Changes, wanted: string): PendingEdits {
  return { ...pending, all: pending.all.map(own, true), sinceSent: noChanges(wanted.length) };
}

/** All of it is on its way. */
export function sent(pending: PendingEdits, wanted: string): PendingEdits {
  return { ...pending, sinceSent: noChanges(wanted.length) };
}

/** What was sent is in the document. */
export function landed(pending: PendingEdits): PendingEdits {
  return { ...pending, all: pending.sinceSent };
}
