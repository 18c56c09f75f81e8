import {
  applyEdits,
  changesOf,
  editsOf,
  noChanges,
  type TextEdit,
} from "../../edits/text/changeSet.ts";
import type { Changes } from "./pendingEdits.ts";

/** How many steps are remembered; what is undone beyond them counts as the user's. */
const MAX_STEPS = 1_000;

interface UndoStep {
  readonly back: Changes;
  readonly forth: Changes;
  readonly isUsers: boolean;
}

/**
 * The changes of one document in the order in which the editor takes them back, and whether each is
 * the user's own work in it. The editor lets one undo what anybody changed, and may take several of
 * the user's changes back at once, never part of one.
 */
export class UndoSteps {
  private readonly steps: UndoStep[] = [];
  /** How many of {@link steps} are done and not taken back. */
  private done = 0;
  private document: object | null = null;

  /**
   * The editor opened a document: the same one again, as for another language, keeps what it can
   * undo.
   */
  follow(document: object): void {
    if (document !== this.document) this.forget();
    this.document = document;
  }

  /** Sorted edits of `before` were made, and not by undo or redo. */
  made(edits: readonly TextEdit[], before: string, isUsers: boolean): void {
    if (edits.length === 0) return;
    const back = invertedEdits(edits, before);
    const length = edits.reduce(
      (sum, { start, end, newText }) => sum + newText.length - (end - start),
      before.length,
    );
    this.steps.splice(this.done);
    this.steps.push({
      back: changesOf(back, length),
      forth: changesOf(edits, before.length),
      isUsers,
    });
    if (this.steps.length > MAX_STEPS) this.steps.shift();
    this.done = this.steps.length;
  }

  /**
   * The editor undid or did again: sorted edits of `before`. False where what it did so is not the
   * user's own work, or not only.
   */
  followed(direction: "undo" | "redo", edits: readonly TextEdit[], before: string): boolean {
    let changes = noChanges(before.length);
    let isUsers = true;
    for (let at = this.done; ; ) {
      const step = direction === "undo" ? this.steps[at - 1] : this.steps[at];
      const next = direction === "undo" ? step?.back : step?.forth;
      if (!step || !next || next.length !== changes.newLength) break;
      changes = changes.compose(next);
      isUsers &&= step.isUsers;
      at += direction === "undo" ? -1 : 1;
      if (!isSameChange(editsOf(changes), edits, before)) continue;
      this.done = at;
      return isUsers;
    }
    // It is none of what is known here: neither is what else the editor keeps.
    this.forget();
    return true;
  }

  private forget(): void {
    this.steps.length = 0;
    this.done = 0;
  }
}

/** The edits of the text after sorted `edits` of `before` that lead back. */
function invertedEdits(edits: readonly TextEdit[], before: string): TextEdit[] {
  let shift = 0;
  return edits.map(({ start, end, newText }) => {
    const from = start + shift;
    shift += newText.length - (end - start);
    return { start: from, end: from + newText.length, newText: before.slice(start, end) };
  });
}

/**
 * True where both lists of sorted edits make the same of `text`; costs the text between the
 * outermost of them.
 */
function isSameChange(
  some: readonly TextEdit[],
  others: readonly TextEdit[],
  text: string,
): boolean {
  const from = Math.min(some[0]?.start ?? text.length, others[0]?.start ?? text.length);
  const part = text.slice(from, Math.max(some.at(-1)?.end ?? from, others.at(-1)?.end ?? from));
  const inPart = (edits: readonly TextEdit[]) =>
    edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
  return applyEdits(inPart(some), part) === applyEdits(inPart(others), part);
}
