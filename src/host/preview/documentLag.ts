import { applyEdits, changesBetween, changesOf, editsOf, noChanges } from "../../edits/changeSet.ts";
import type { TextEdit } from "../../edits/reviewPlan.ts";

type Changes = ReturnType<typeof noChanges>;

/**
 * Two views of one text: what its owner wants, and what a document that follows with a delay shows. Changes by the owner queue up
 * until the document has taken them over; what the user types in the document meanwhile is mapped over them, so that neither is lost.
 */
export class DocumentLag {
  private shownText: string;
  private wantedText: string;
  /** From the shown text to the one being transferred; null when no transfer is under way. */
  private transfer: { readonly changes: Changes; readonly text: string } | null = null;
  /** From the text being transferred (else the shown text) to the wanted one. */
  private behind: Changes;

  constructor(text: string) {
    this.shownText = text;
    this.wantedText = text;
    this.behind = noChanges(text.length);
  }

  /** What the document shows. */
  get shown(): string {
    return this.shownText;
  }

  /** What the owner wants. */
  get wanted(): string {
    return this.wantedText;
  }

  /** The text that is on its way to the document, or null. */
  get target(): string | null {
    return this.transfer?.text ?? null;
  }

  /** The owner changed the text. */
  advance(edits: readonly TextEdit[], textAfter: string): void {
    this.behind = this.behind.compose(changesOf(edits, this.wantedText.length));
    this.wantedText = textAfter;
  }

  /** Starts to transfer the wanted text; null when the document has it, or a transfer is under way. */
  begin(): string | null {
    if (this.transfer || this.shownText === this.wantedText) return null;
    this.transfer = { changes: this.behind, text: this.wantedText };
    this.behind = noChanges(this.wantedText.length);
    return this.wantedText;
  }

  /** The document has taken the transferred text over. */
  landed(): void {
    if (!this.transfer) return;
    this.shownText = this.transfer.text;
    this.transfer = null;
  }

  /** The document shows `text`, for a reason that is not known; it will be brought to the wanted text from there. */
  restart(text: string): void {
    this.transfer = null;
    this.shownText = text;
    this.behind = changesBetween(text, this.wantedText);
  }

  /** The user changed the shown text. Gives that change as edits of the wanted text; a transfer under way counts as failed. */
  typed(edits: readonly TextEdit[], textAfter: string): { readonly edits: readonly TextEdit[]; readonly textAfter: string } {
    const typed = changesOf(edits, this.shownText.length);
    const owed = this.transfer ? this.transfer.changes.compose(this.behind) : this.behind;
    const mapped = editsOf(typed.map(owed));
    this.transfer = null;
    this.behind = owed.map(typed, true);
    this.shownText = textAfter;
    this.wantedText = applyEdits(mapped, this.wantedText);
    return { edits: mapped, textAfter: this.wantedText };
  }
}
