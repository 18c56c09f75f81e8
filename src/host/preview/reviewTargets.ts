import { type HunkCursor, hunkToDecide } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { FileReview } from "./fileReview.ts";

/** A review, as far as it takes to find it. */
export interface Target extends Pick<FileReview, "path" | "firstPath" | "streaming" | "hunks"> {
  readonly file: { readonly uri: string };
  readonly realUri: { toString(): string };
  readonly proposalUri: { toString(): string };
}

/** Where the user is: in a file's own editor, or in a diff. */
export interface Place<R extends Target> extends HunkCursor {
  readonly review: R;
}

/** The review with this workspace path or URI, the file's or the proposal's. */
export function reviewNamed<R extends Target>(reviews: readonly R[], name: string): R | undefined {
  return (
    reviews.find((review) => isUriOf(review, name)) ??
    reviews.find(({ path, firstPath }) => path === name || firstPath === name)
  );
}

/** True for the file's URI and the proposal's. Editors name reviews by them, the panel by path. */
export function isUriOf({ file, realUri, proposalUri }: Target, name: string): boolean {
  return [file.uri, realUri.toString(), proposalUri.toString()].includes(name);
}

/** The other reviews, beginning with the one after. */
export function following<R extends Target>(reviews: readonly R[], review: R): R[] {
  const at = reviews.indexOf(review);
  return [...reviews.slice(at + 1), ...reviews.slice(0, Math.max(0, at))];
}

/**
 * What a decision without a hunk's name is about: in this review the hunk at the cursor, else the
 * next one.
 */
export function targetIn<R extends Target>(review: R, here: Place<R> | null): Hunk | null {
  return here?.review === review
    ? hunkToDecide(review.hunks(), here.side, here.line)
    : (review.hunks()[0] ?? null);
}

/**
 * Where a step leads that leaves the user's file: the next or previous one with hunks, after all
 * others the same again.
 */
export function stepAcross<R extends Target>(
  reviews: readonly R[],
  here: Place<R> | null,
  direction: "next" | "previous",
): { readonly review: R; readonly hunk: Hunk | undefined } | null {
  const others = here ? following(reviews, here.review) : [...reviews];
  if (here && direction === "previous") others.reverse();
  const ring = here ? [...others, here.review] : others;
  const review =
    ring.find((one) => one.hunks().length > 0 && (!one.streaming || one === here?.review)) ??
    ring[0];
  if (!review) return null;
  return {
    review,
    hunk: direction === "previous" && here ? review.hunks().at(-1) : review.hunks()[0],
  };
}
