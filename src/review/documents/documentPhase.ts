/**
 * The life of a proposal's document: an answer writes it, the user may type in it, its last save
 * before its tab closes, nothing more. `withdrawn` is one that ends before the user could type.
 */
export type DocumentPhase = "streaming" | "editable" | "finishing" | "withdrawn" | "over";

/** The answer is complete and shown; nothing is left to decide; the tab is closed. */
export type DocumentEvent = "completed" | "decided" | "disposed";

const NEXT: Readonly<Record<DocumentPhase, Partial<Record<DocumentEvent, DocumentPhase>>>> = {
  streaming: { completed: "editable", decided: "withdrawn", disposed: "over" },
  editable: { decided: "finishing", disposed: "over" },
  finishing: { disposed: "over" },
  withdrawn: { disposed: "over" },
  over: {},
};

/** The phase after an event; one that comes late or twice changes nothing. */
export function nextPhase(phase: DocumentPhase, event: DocumentEvent): DocumentPhase {
  return NEXT[phase][event] ?? phase;
}
