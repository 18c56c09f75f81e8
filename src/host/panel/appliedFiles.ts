import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { lineDiff } from "../../edits/text/lineDiff.ts";
import type { PendingFile } from "../../protocol/messages.ts";
import type { AppliedReview } from "../restore/appliedReview.ts";
import { orNull } from "../workspace/unlessMissing.ts";

/** Milliseconds between two updates. */
const INTERVAL_MS = 200;

/**
 * Calls `show` with the files whose applied changes still need review, and again when they or their
 * texts change.
 */
export function watchApplied(
  review: AppliedReview,
  show: (files: readonly PendingFile[]) => void,
): Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reports = 0;
  const report = async () => {
    timer = undefined;
    const own = ++reports;
    const files = await Promise.all(
      review.all.map(async ({ path, uri, startText, operation }) => {
        // No document means that the file does not exist.
        const document = await orNull(vscode.workspace.openTextDocument(uri));
        const file = appliedFile(path, startText ?? "", document?.getText() ?? "");
        return operation ? { ...file, operation: { ...operation, block: null } } : file;
      }),
    );
    if (own === reports) show(files);
  };
  const listening = review.onChanged(() => {
    timer ??= setTimeout(() => void report(), INTERVAL_MS);
  });
  return {
    dispose() {
      reports++;
      clearTimeout(timer);
      listening.dispose();
    },
  };
}

function appliedFile(path: string, before: string, after: string): PendingFile {
  const differences = lineDiff(before, after);
  const added = differences.reduce((sum, { afterLines: { start, end } }) => sum + end - start, 0);
  const removed = differences.reduce(
    (sum, { beforeLines: { start, end } }) => sum + end - start,
    0,
  );
  const decided = {
    conflicts: 0,
    warnings: 0,
    blocks: 0,
    accepted: 0,
    several: [],
    streaming: false,
    applied: true,
  };
  return { path, added, removed, hunks: differences.length, ...decided };
}
