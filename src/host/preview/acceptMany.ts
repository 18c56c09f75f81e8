import * as vscode from "vscode";
import { err } from "../../base/result.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { DecidedBy } from "../../review/proposals/fileReviewDeps.ts";
import type { AcceptedIn, WorkspaceProposals } from "../../review/proposals/workspaceProposals.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { t } from "../localize.ts";
import {
  acceptFailureMessage,
  acceptTooMessage,
  type FailedAccept,
  type LeftOut,
  leftAcceptedMessage,
  progressMessage,
  remainingMessage,
  sharedHunksMessage,
  stoppedMessage,
} from "./messages.ts";
import { hunksOf, type IsOwn, idsOf, isShared } from "./reviewTargets.ts";

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
  readonly review: EditorReview;
  readonly hunkIds: readonly string[];
  readonly by: DecidedBy;
}

type TakeBack = WorkspaceProposals<vscode.TextDocument>["takeBack"];

/** What became of {@link acceptMany}, in the order of the files. */
export interface AcceptedMany {
  readonly accepted: readonly AcceptedIn<vscode.TextDocument>[];
  readonly failed: readonly FailedAccept[];
  /** The files that the user's stop left alone. */
  readonly left: readonly EditorReview[];
}

/** Accepts hunks in several files. Once stopped it changes no other file. */
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
  const outcomes = new Map<FileAccept, Awaited<ReturnType<EditorReview["decisions"]["accept"]>>>();
  const accept = async (file: FileAccept, meet: () => Promise<void>) => {
    let met: Promise<void> | null = null;
    const isReady = () => {
      met ??= meet();
      return met;
    };
    const { review, hunkIds, by } = file;
    const mayChange = async () => {
      await isReady();
      return !isStopped();
    };
    const outcome = await review.decisions
      .accept(hunkIds, by, false, mayChange)
      .catch(() => err({ code: "not-applied" } as const));
    // A file that cannot be changed keeps nobody waiting.
    void isReady();
    if (!outcome.ok && isStopped()) return;
    outcomes.set(file, outcome);
    accepted(outcomes.size);
  };
  for (let at = 0; at < files.length && !isStopped(); at += TOGETHER) {
    const group = files.slice(at, at + TOGETHER);
    const meet = meetingOf(group.length);
    await Promise.all(group.map((file) => accept(file, meet)));
  }
  return {
    accepted: files.flatMap((file) => {
      const outcome = outcomes.get(file);
      return outcome?.ok && outcome.value ? [{ review: file.review, ...outcome.value }] : [];
    }),
    failed: files.flatMap((file) => {
      const outcome = outcomes.get(file);
      return outcome && !outcome.ok ? [{ path: file.review.path, problem: outcome.error }] : [];
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

/** A file in which hunks were to be accepted, and those that were left out. */
export interface AskedFile {
  readonly review: EditorReview;
  readonly kept: readonly Hunk[];
  /** Those of them that another chat wrote, too. */
  readonly shared: readonly Hunk[];
}

/** What is accepted in a file of what such blocks wrote, by default of all: what is not `held`. */
export function askedFile(
  review: EditorReview,
  by: DecidedBy,
  held: (hunk: Hunk, review: EditorReview) => boolean,
  isOwn: IsOwn | null,
): FileAccept & AskedFile {
  const hunks = isOwn ? hunksOf(review, isOwn) : review.hunks();
  const shared = isOwn ? hunks.filter((hunk) => isShared(hunk, review, isOwn)) : [];
  const sound = hunks.filter((hunk) => !held(hunk, review) && !shared.includes(hunk));
  const kept = hunks.filter((hunk) => !sound.includes(hunk));
  return { review, by, hunkIds: idsOf(sound), kept, shared };
}

/**
 * Tells what accepting in several files left: what failed or was stopped, with the offer to take
 * the rest back, and what was left out. False where a file could not be changed.
 */
export function tellAccepted(
  files: readonly AskedFile[],
  { accepted, failed, left }: AcceptedMany,
  show: (review: EditorReview) => Promise<void>,
  takeBack: TakeBack,
): boolean {
  const offer = (message: string) => offerTakeBack(message, accepted, takeBack);
  const paths = accepted.map(({ change }) => change.file.path);
  if (failed.length > 0) offer(acceptFailureMessage(t, paths, failed));
  if (left.length > 0) {
    offer(stoppedMessage(t, paths.length, files.filter(({ review }) => !review.ended).length));
    return false;
  }
  const isKept = ({ review, kept }: AskedFile) =>
    kept.length > 0 && !review.ended && failed.every(({ path }) => path !== review.path);
  void tellKept(files.filter(isKept), show, takeBack);
  return failed.length === 0;
}

/** Once the user has seen what was left out, they can accept what only has a warning. */
async function tellKept(
  files: readonly AskedFile[],
  show: (review: EditorReview) => Promise<void>,
  takeBack: TakeBack,
): Promise<void> {
  const [first] = files;
  if (!first) return;
  const { showWarningMessage } = vscode.window;
  if (!(await showWarningMessage(remainingMessage(t, files.map(leftOut)), t("Show")))) return;
  await show(first.review);
  const warned = files.flatMap(({ review, kept, shared }) => {
    const hunks = review.file.protected ? [] : kept.filter(({ conflict }) => !conflict);
    return hunks.length > 0 ? [{ review, kept: hunks, shared }] : [];
  });
  if (warned.length === 0) return;
  const accepts = t("Accept These, Too");
  if (!(await showWarningMessage(acceptTooMessage(t, warned.map(leftOut)), accepts))) return;
  const chosen = warned.map(({ review, kept }) => {
    const asked = new Set(kept.map(({ id }) => id));
    const left = review.hunks().filter(({ id, conflict }) => asked.has(id) && !conflict);
    return {
      review,
      hunkIds: left.map(({ id }) => id),
      by: "panel" as const,
      kept: [],
      shared: [],
    };
  });
  tellAccepted(chosen, await acceptMany(chosen), show, takeBack);
}

function leftOut({ review, kept, shared }: AskedFile): LeftOut {
  const isProtected = review.file.protected === true;
  const hunks = kept.map((hunk) => ({ ...hunk, isShared: shared.includes(hunk) }));
  return { path: review.path, isProtected, hunks };
}

/** Tells in which files changes were not rejected, since another chat wrote them, too. */
export async function tellShared(
  reviews: readonly EditorReview[],
  show: (review: EditorReview) => Promise<void>,
): Promise<void> {
  const [first] = reviews;
  if (!first) return;
  const paths = reviews.map(({ path }) => path);
  const chosen = await vscode.window.showWarningMessage(sharedHunksMessage(t, paths), t("Show"));
  if (chosen) await show(first);
}

function offerTakeBack(
  message: string,
  accepted: readonly AcceptedIn<vscode.TextDocument>[],
  takeBack: TakeBack,
): void {
  const answer = vscode.window.showWarningMessage(
    message,
    ...(accepted.length > 0 ? [t("Undo Accepted")] : []),
  );
  void answer.then((chosen) => (chosen ? takeAllBack(accepted, takeBack) : undefined));
}

async function takeAllBack(
  accepted: readonly AcceptedIn<vscode.TextDocument>[],
  takeBack: TakeBack,
): Promise<void> {
  const left: string[] = [];
  for (const change of accepted) if (!(await takeBack(change))) left.push(change.change.file.path);
  if (left.length > 0) void vscode.window.showWarningMessage(leftAcceptedMessage(t, left));
  else vscode.window.setStatusBarMessage(t("The accepted changes are pending again."), 5_000);
}
