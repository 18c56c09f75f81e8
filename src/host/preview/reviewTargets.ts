import { type HunkCursor, hunkToDecide, type Side } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { BlockSource, ReviewOrigin } from "../../ports/review.ts";
import type { DecidedBy } from "../../review/proposals/fileReviewDeps.ts";
import { following } from "../../review/proposals/following.ts";
import { chatsOf, keyOf } from "../../review/proposals/outcomeReporter.ts";
import type { EditorReview } from "../documents/editorReview.ts";

/** A review, as far as it takes to find it. */
export interface Target extends Pick<EditorReview, "path" | "firstPath" | "streaming" | "hunks"> {
  readonly file: { readonly uri: string };
  readonly proposalUri: string;
}

/** A review, as far as it takes to know whose its hunks are. */
interface Written {
  readonly reviewedBlocks: readonly BlockSource[];
  hunks(): readonly Hunk[];
}

/** Where the user is: in a file's own editor, or in a diff. */
export interface CursorIn<R extends Target> extends HunkCursor {
  readonly review: R;
}

/** The review with this workspace path or URI, the file's or the proposal's. */
export function reviewNamed<R extends Target>(reviews: readonly R[], name: string): R | undefined {
  return (
    reviews.find((review) => isUriOf(review, name)) ??
    reviews.find(({ path, firstPath }) => path === name || firstPath === name)
  );
}

/** The review whose proposal is at a URI. */
export function reviewOf<R extends Target>(
  reviews: readonly R[],
  proposal: { toString(): string } | null,
): R | undefined {
  const key = proposal?.toString();
  return reviews.find(({ proposalUri }) => proposalUri === key);
}

/** True for the file's URI and the proposal's. Editors name reviews by them, the panel by path. */
export function isUriOf({ file, proposalUri }: Target, name: string): boolean {
  return [file.uri, proposalUri].includes(name);
}

/**
 * What a decision without a hunk's name is about: in this review the hunk at the cursor, else the
 * next one.
 */
export function targetIn<R extends Target>(review: R, here: CursorIn<R> | null): Hunk | null {
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
  here: CursorIn<R> | null,
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

/**
 * Whether the decisions on the whole file have a row above their own line. Where the first hunk
 * begins at the top, its own stand there: titles, keys and the panel decide on the file.
 */
export function fileHasOwnRow(hunks: readonly Pick<Hunk, Side>[], side: Side): boolean {
  return hunks[0] !== undefined && hunks[0][side].start > 0;
}

/** The ids of hunks. */
export function idsOf(hunks: readonly Hunk[]): readonly string[] {
  return hunks.map(({ id }) => id);
}

/** Whose blocks a decision is about. */
export type IsOwn = (origin: ReviewOrigin) => boolean;

/** The blocks of one call. */
export function ofCall(turnId: string, callId: string): IsOwn {
  return (origin) => origin.turnId === turnId && origin.callId === callId;
}

/** The blocks of a chat or guest. */
export function ofChat(chatId: string | undefined): IsOwn {
  return (origin) => origin.chatId === chatId;
}

/** The hunks in which such blocks have a part. */
export function hunksOf(review: Written, isOwn: IsOwn): readonly Hunk[] {
  return review
    .hunks()
    .filter(({ blockIds }) =>
      review.reviewedBlocks.some(
        ({ origin, blockId }) => isOwn(origin) && blockIds.includes(keyOf(origin, blockId)),
      ),
    );
}

/** True for a hunk in which another chat has a part, too: it is not decided for these alone. */
export function isShared(hunk: Hunk, { reviewedBlocks }: Written, isOwn: IsOwn): boolean {
  const own = new Set(
    reviewedBlocks.flatMap(({ origin }) => (isOwn(origin) ? [origin.chatId] : [])),
  );
  return chatsOf(reviewedBlocks, hunk.blockIds).some(({ chatId }) => !own.has(chatId));
}

/** The chats and guests with pending hunks in a file, in the order in which they began to write. */
export function writersIn(review: Written): readonly string[] {
  const pending = review.hunks().flatMap(({ blockIds }) => blockIds);
  return chatsOf(review.reviewedBlocks, pending).map(({ chatId }) => chatId);
}

/** What is pending of a block; null where nothing is. */
export function hunksOfBlock(
  reviews: readonly EditorReview[],
  turnId: string,
  blockId: string,
): { readonly review: EditorReview; readonly hunks: readonly [Hunk, ...Hunk[]] } | null {
  const key = keyOf({ turnId }, blockId);
  for (const review of reviews) {
    const [first, ...more] = review.hunks().filter((hunk) => hunk.blockIds.includes(key));
    if (first) return { review, hunks: [first, ...more] };
  }
  return null;
}

/** Editors name a file by its URI or not at all, the panel by its path. */
export function decidedBy(review: EditorReview, name: string | undefined): DecidedBy {
  return name === undefined || isUriOf(review, name) ? "command" : "panel";
}

/** True for a hunk that is not accepted with the rest. */
export function needsUser(hunk: Hunk, { file }: EditorReview): boolean {
  return hunk.conflict || hunk.warnings.length > 0 || file.protected === true;
}
