import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { EditorReview } from "../documents/editorReview.ts";

/** Milliseconds after which the panel says that a diff is behind. */
const SHOWN_AFTER_MS = 500;

/** The files whose diff has been behind its proposal for a while. */
export class BehindDiffs implements Disposable {
  /** Their workspace paths. */
  paths: readonly string[] = [];
  private readonly reviews: () => readonly EditorReview[];
  private readonly changed = new Emitter<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Called when {@link paths} changes. */
  readonly onChange = this.changed.on.bind(this.changed);

  constructor(reviews: () => readonly EditorReview[]) {
    this.reviews = reviews;
  }

  /** Shows at once what changes while a diff is known to be behind, and late that one is. */
  look(isLate = this.paths.length > 0): void {
    const behind = this.reviews()
      .filter((review) => review.proposal.isBehind)
      .map((review) => review.path);
    if (behind.length > 0 && !isLate) {
      this.timer ??= setTimeout(() => this.look(true), SHOWN_AFTER_MS);
      return;
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    if (behind.join("\n") === this.paths.join("\n")) return;
    this.paths = behind;
    this.changed.fire();
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
