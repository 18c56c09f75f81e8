import type { FileReview } from "./fileReview.ts";

/**
 * The reviews of the workspace, by file: pending; over, with accepts that are not saved; over, with
 * a diff that is still closing.
 */
export class ReviewList {
  private readonly byUri = new Map<string, FileReview>();
  /** Until these accepts are saved they stay on record. */
  private readonly unsavedByUri = new Map<string, FileReview>();
  /** Reports about their documents still count. */
  readonly closing = new Set<FileReview>();

  /** Those that are pending, oldest first. */
  get pending(): readonly FileReview[] {
    return [...this.byUri.values()];
  }

  get unsaved(): readonly FileReview[] {
    return [...this.unsavedByUri.values()];
  }

  /** The pending review of a file. */
  of(uri: string): FileReview | undefined {
    return this.byUri.get(uri);
  }

  /** True for a review that is on record. */
  has(review: FileReview): boolean {
    const { uri } = review.file;
    return this.byUri.get(uri) === review || this.unsavedByUri.get(uri) === review;
  }

  add(review: FileReview, isOver: boolean): void {
    (isOver ? this.unsavedByUri : this.byUri).set(review.file.uri, review);
  }

  /** A review is over; gives the other pending ones, beginning with the one after it. */
  over(review: FileReview): readonly FileReview[] {
    const { uri } = review.file;
    const others = following(this.pending, review);
    if (this.byUri.get(uri) === review) this.byUri.delete(uri);
    if (review.stored() !== null) this.unsavedByUri.set(uri, review);
    else if (this.unsavedByUri.get(uri) === review) this.unsavedByUri.delete(uri);
    return others;
  }

  /** Takes the unsaved one of a file off the list. */
  takeUnsaved(uri: string): FileReview | undefined {
    const review = this.unsavedByUri.get(uri);
    this.unsavedByUri.delete(uri);
    return review;
  }

  /** A pending one's file goes from one place to another; gives the one that was pending there. */
  move(review: FileReview, from: string, to: string): FileReview | undefined {
    const replaced = this.byUri.get(to);
    if (this.byUri.get(from) === review) this.byUri.delete(from);
    this.byUri.set(to, review);
    return replaced === review ? undefined : replaced;
  }

  /** Forgets all but the closing ones; gives those that were pending. */
  clear(): readonly FileReview[] {
    const { pending } = this;
    this.byUri.clear();
    this.unsavedByUri.clear();
    return pending;
  }
}

/** The other reviews, beginning with the one after. */
export function following<R>(reviews: readonly R[], review: R): R[] {
  const at = reviews.indexOf(review);
  return [...reviews.slice(at + 1), ...reviews.slice(0, Math.max(0, at))];
}
