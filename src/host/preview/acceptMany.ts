import * as vscode from "vscode";
import type { AppliedChange, ReviewOrigin } from "../../ports/review.ts";
import { t } from "../localize.ts";
import type { StoredProposal } from "../storage/proposalStore.ts";
import type { FileReview } from "./fileReview.ts";
import type { DecidedBy, DecisionProblem } from "./fileReviewDeps.ts";
import { type FailedAccept, progressMessage } from "./messages.ts";

/**
 * Files that are made ready before the first of them changes. VS Code opens a tab for each unsaved
 * file 800 ms after a change, and draws all tabs each time: the fewer times, the better. It keeps no
 * more than 50 documents open for an extension.
 */
const TOGETHER = 40;
/** From so many files on the user sees how far it is, and can stop it. */
const PROGRESS_FROM = 10;
/**
 * How often the user sees that it is further: VS Code draws the whole window for each step of a
 * bar.
 */
const PROGRESS_STEPS = 10;

/** What to accept in one file. */
export interface FileAccept {
  readonly review: FileReview;
  readonly hunkIds: readonly string[];
  readonly by: DecidedBy;
}

/**
 * A change that an accept made to a file, and the proposal as it was before, so that the change can
 * be taken back.
 */
export interface AcceptedChange {
  readonly review: FileReview;
  readonly origin: ReviewOrigin;
  readonly change: AppliedChange;
  readonly proposal: StoredProposal;
}

/** What became of {@link acceptMany}, in the order of the files. */
export interface AcceptedMany {
  readonly accepted: readonly AcceptedChange[];
  readonly failed: readonly FailedAccept[];
  /** The files that the user's stop left alone. */
  readonly left: readonly FileReview[];
}

/**
 * Accepts hunks in several files so that the changes can be taken back. Once stopped it changes no
 * other file.
 */
export async function acceptMany(files: readonly FileAccept[]): Promise<AcceptedMany> {
  if (files.length < PROGRESS_FROM) return acceptEach(files, () => false);
  const { ProgressLocation, window } = vscode;
  const options = {
    location: ProgressLocation.Notification,
    title: t("Accepting changes"),
    cancellable: true,
  };
  return window.withProgress(options, (progress, token) =>
    acceptEach(
      files,
      () => token.isCancellationRequested,
      (done) => {
        if (
          Math.floor((done * PROGRESS_STEPS) / files.length) ===
          Math.floor(((done - 1) * PROGRESS_STEPS) / files.length)
        )
          return;
        progress.report({
          message: progressMessage(t, done, files.length),
          increment: 100 / PROGRESS_STEPS,
        });
      },
    ),
  );
}

async function acceptEach(
  files: readonly FileAccept[],
  isStopped: () => boolean,
  accepted: (done: number) => void = () => undefined,
): Promise<AcceptedMany> {
  const outcomes = new Map<FileAccept, Awaited<ReturnType<typeof acceptReversibly>>>();
  const accept = async (file: FileAccept, meet: () => Promise<void>) => {
    let met: Promise<void> | null = null;
    const isReady = () => {
      met ??= meet();
      return met;
    };
    const outcome = await acceptReversibly(file, async () => {
      await isReady();
      return !isStopped();
    });
    // A file that cannot be changed keeps nobody waiting.
    void isReady();
    if (outcome.problem && isStopped()) return;
    outcomes.set(file, outcome);
    accepted(outcomes.size);
  };
  for (let at = 0; at < files.length && !isStopped(); at += TOGETHER) {
    const group = files.slice(at, at + TOGETHER);
    const meet = meetingOf(group.length);
    await Promise.all(group.map((file) => accept(file, meet)));
  }
  return {
    accepted: files.flatMap((file) => outcomes.get(file)?.accepted ?? []),
    failed: files.flatMap((file) => {
      const problem = outcomes.get(file)?.problem;
      return problem ? [{ path: file.review.path, problem }] : [];
    }),
    left: files.flatMap((file) => (outcomes.has(file) ? [] : [file.review])),
  };
}

/** What each of `count` tasks calls once; settles when all of them have. */
function meetingOf(count: number): () => Promise<void> {
  let missing = count;
  let begin: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return () => {
    missing--;
    if (missing === 0) begin();
    return all;
  };
}

/** Accepts hunks so that the change can be taken back. The user is not told of a problem. */
async function acceptReversibly(
  { review, hunkIds, by }: FileAccept,
  mayChange: () => Promise<boolean>,
): Promise<{
  readonly problem: DecisionProblem | null;
  readonly accepted: AcceptedChange | null;
}> {
  const before = review.stored();
  let accepted: AcceptedChange | null = null;
  const made = (origin: ReviewOrigin, change: AppliedChange) => {
    const now = review.stored();
    if (!now || !before) return;
    // What the user typed in the proposal while the accept was on its way is in it, too.
    const { real, userLines, decided, unsaved } = before.review;
    const { unsaved: _, ...typed } = now.review;
    const record = { ...typed, real, userLines, decided, ...(unsaved && { unsaved }) };
    const proposal = { ...now, exists: before.exists, review: record };
    accepted = { review, origin, change, proposal };
  };
  const problem = await review
    .accept(hunkIds, by, false, { made, mayChange })
    .catch(() => ({ code: "not-applied" }) as const);
  return { problem, accepted };
}
