/** An accept that reached the file: the file's text before and after, and the accepted blocks, one entry per hunk and block. */
export interface Acceptance {
  readonly before: string;
  readonly after: string;
  readonly blockIds: readonly string[];
}

/** The accepts of one review; tells their undo and redo in the file from typing. */
export class Acceptances {
  private done: Acceptance[] = [];
  private undone: Acceptance[] = [];

  add(acceptance: Acceptance): void {
    this.done.push(acceptance);
    this.undone = [];
  }

  /** Which accept a change of the file from `before` to `after` undoes or redoes; null for any other change. */
  undoOrRedo(before: string, after: string): { readonly kind: "undone" | "redone"; readonly blockIds: readonly string[] } | null {
    const last = this.done.at(-1);
    if (last && last.after === before && last.before === after) {
      this.done.pop();
      this.undone.push(last);
      return { kind: "undone", blockIds: last.blockIds };
    }
    const next = this.undone.at(-1);
    if (next && next.before === before && next.after === after) {
      this.undone.pop();
      this.done.push(next);
      return { kind: "redone", blockIds: next.blockIds };
    }
    return null;
  }
}
