import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { FileReview } from "./fileReview.ts";

/** Milliseconds after which the panel says that a diff is behind. */
const BEHIND_SHOWN_MS = 500;

/** Knows which diffs have been behind their proposals for a while. */
export class BehindMonitor implements Disposable {
  private shown: readonly string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly changed = new Emitter<void>();

  /** The workspace paths of their files. */
  get paths(): readonly string[] {
    return this.shown;
  }

  /** Called when {@link paths} changes. */
  on(listener: () => void): Disposable {
    return this.changed.on(listener);
  }

  /** Looks at the reviews as they are now. */
  check(reviews: readonly Pick<FileReview, "isBehind" | "path">[]): void {
    const behind = reviews.filter((review) => review.isBehind).map((review) => review.path);
    if (behind.length > 0) {
      this.timer ??= setTimeout(() => this.show(behind), BEHIND_SHOWN_MS);
      return;
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.shown.length > 0) this.show([]);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private show(paths: readonly string[]): void {
    this.shown = paths;
    this.changed.fire();
  }
}
