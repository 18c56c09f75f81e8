import { type Disposable, disposable } from "../../base/disposable.ts";
import { watchValue } from "../../base/watchValue.ts";
import { isAlreadyThere, isApplied } from "../../edits/block.ts";
import {
  type BlockOutcome,
  type BlockSource,
  isProtectedOperation,
  type PendingOperation,
  type ReviewOrigin,
} from "../../ports/review.ts";
import type { PendingFile } from "../../protocol/messages.ts";
import { authorsOf, chatsOf, keyOf } from "../../review/proposals/outcomeReporter.ts";
import type { PendingReview } from "../../review/proposals/sharedProposals.ts";
import type { UnkeptProposals } from "../../review/storage/unkeptProposals.ts";

/** Milliseconds between two updates. */
const INTERVAL_MS = 50;

/** A proposed file operation with its outcome so far. */
type ShownOperation = PendingOperation & {
  /** The name of its record. */
  readonly id?: string;
  readonly outcome: Pick<BlockOutcome, "status">;
};

interface Written {
  readonly blockIds: readonly string[];
}

/** What a chat is called, "" where that is not known; null for the panel's own. */
type NameOf = (chatId: string) => string | null;

/**
 * The files to decide on, for the panel. Leaves out files whose first proposal is still streaming.
 */
export function pendingFiles(
  reviews: readonly PendingReview[],
  operations: readonly ShownOperation[],
  nameOf: NameOf = () => null,
  unkept: UnkeptProposals | null = null,
): PendingFile[] {
  const stored = ({ id }: { readonly id?: string }) =>
    id !== undefined && unkept?.ids.has(id) ? { unkept: unkept.detail } : {};
  const sharesOf = (blocks: readonly BlockSource[], hunks: readonly Written[]) => {
    const shares = chatsOf(
      blocks,
      hunks.flatMap(({ blockIds }) => blockIds),
    ).map((origin) => ({
      ...{ chatId: origin.chatId, ...writerOf(origin, nameOf) },
      hunks: hunks.filter(({ blockIds }) =>
        chatsOf(blocks, blockIds).some(({ chatId }) => chatId === origin.chatId),
      ).length,
    }));
    return shares.some(({ kind }) => kind !== "own") ? { shares } : {};
  };
  const texts = reviews.flatMap((review) => {
    const outcomes = review.outcomes();
    const hunks = outcomes.length === 0 ? [] : review.hunks();
    return hunks.length === 0
      ? []
      : [
          {
            ...pendingFile(review, hunks, outcomes),
            ...sharesOf(review.reviewedBlocks, hunks),
            ...stored(review),
          },
        ];
  });
  return [
    ...texts,
    ...operations.map((each) => ({
      ...pendingOperation(each),
      ...sharesOf([each], [{ blockIds: [keyOf(each.origin, each.blockId)] }]),
      ...stored(each),
    })),
  ];
}

function writerOf({ chatId, agent }: ReviewOrigin, nameOf: NameOf) {
  if (agent !== undefined) return { kind: "guest" as const, name: agent };
  const name = nameOf(chatId);
  return name === null ? { kind: "own" as const, name: "" } : { kind: "chat" as const, name };
}

/** The source of pending reviews. `onChange` may fire often. */
export interface PendingSource {
  readonly reviews: readonly PendingReview[];
  readonly operations: { readonly pending: readonly ShownOperation[] };
  onChange(listener: () => void): Disposable;
}

/** What is pending in another window; `onChange` may call often. */
export interface PendingElsewhere {
  readonly texts: readonly PendingReview[];
  readonly operations: readonly PendingOperation[];
  onChange(listener: () => void): Disposable;
}

/** The files that another window has something pending on, for the panel. */
export function filesElsewhere({ texts, operations }: PendingElsewhere): PendingFile[] {
  const reviewed = operations.map((operation) => ({
    ...operation,
    outcome: { status: "pending" as const },
  }));
  return pendingFiles(texts, reviewed).map(({ shares: _, ...file }) => ({
    ...file,
    elsewhere: true,
  }));
}

/** Calls `show` with what is pending now, here or `elsewhere`, and whenever that has changed. */
export function watchPending(
  source: PendingSource,
  elsewhere: PendingElsewhere,
  show: (files: readonly PendingFile[]) => void,
): Disposable {
  const read = () => [
    // By the chats' ids: a panel shows it anew where another chat's lines take the place.
    ...pendingFiles(source.reviews, source.operations.pending, () => ""),
    ...filesElsewhere(elsewhere),
  ];
  const listen = (changed: () => void) => {
    const listening = [source.onChange(changed), elsewhere.onChange(changed)];
    return disposable(() => {
      for (const each of listening) each.dispose();
    });
  };
  return watchValue(read, listen, INTERVAL_MS, show);
}

function pendingFile(
  { path, file, streaming, reviewedBlocks }: PendingReview,
  hunks: ReturnType<PendingReview["hunks"]>,
  outcomes: ReturnType<PendingReview["outcomes"]>,
): PendingFile {
  const agents = authorsOf(
    reviewedBlocks,
    hunks.flatMap(({ blockIds }) => blockIds),
  );
  return {
    path,
    ...(agents.length > 0 && { agents: [...agents] }),
    ...(file?.protected && { protected: true }),
    added: hunks.reduce((sum, { proposed }) => sum + proposed.end - proposed.start, 0),
    removed: hunks.reduce((sum, { real }) => sum + real.end - real.start, 0),
    hunks: hunks.length,
    conflicts: hunks.filter(({ conflict }) => conflict).length,
    warnings: hunks.filter(({ warnings }) => warnings.length > 0).length,
    accepted: outcomes.filter((outcome) => isApplied(outcome) && !isAlreadyThere(outcome)).length,
    streaming,
  };
}

function pendingOperation(reviewed: ShownOperation): PendingFile {
  const { file, to, origin, blockId, outcome, executable } = reviewed;
  const { agent, turnId } = origin;
  const conflicts = outcome.status === "conflict" ? 1 : 0;
  const counts = {
    added: 0,
    removed: 0,
    hunks: 1,
    conflicts,
    warnings: 0,
    accepted: 0,
  };
  const operation = {
    ...{ to: to?.path ?? null, block: { turnId, blockId } },
    ...(executable !== undefined && { executable }),
  };
  return {
    path: file.path,
    ...(agent !== undefined && { agents: [agent] }),
    ...(isProtectedOperation(reviewed) && { protected: true }),
    operation,
    ...counts,
    streaming: false,
  };
}
