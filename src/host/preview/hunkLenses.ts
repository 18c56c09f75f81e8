import * as vscode from "vscode";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { t } from "../localize.ts";
import { changeCount } from "../messages.ts";
import type { FileReview } from "./fileReview.ts";
import { cautionMessage } from "./messages.ts";

/** The third argument of `graft.acceptHunk` when the user has seen that accepting overwrites their edit. */
export const OVERWRITE = "overwrite";

type ReviewState = Pick<FileReview, "proposalUri" | "realUri" | "streaming" | "isBehind" | "hunks">;

function lens(line: number, title: string, command = "", ...args: readonly string[]): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [...args] });
}

/** The lenses of the proposal: the file's at the top, then each hunk's. Nothing can be decided while it streams or its diff is behind. */
export function proposalLenses(review: ReviewState, lineCount: number): vscode.CodeLens[] {
  if (review.streaming) return [lens(0, `$(sync~spin) ${t("Graft is writing…")}`)];
  if (review.isBehind) return [lens(0, catchingUp())];
  const uri = review.proposalUri.toString();
  const hunks = review.hunks();
  if (hunks.length === 0) return [];
  const lenses = [
    lens(0, t("Accept file ({changes})", { changes: changeCount(t, hunks.length) }), "graft.acceptFile", uri),
    lens(0, t("Reject file"), "graft.rejectFile", uri),
  ];
  // Left out where the first hunk's own lenses share the line: a narrow editor would cut those off.
  if (hunks.length > 1 && hunks[0]?.proposed.start !== 0) lenses.push(lens(0, t("Next change"), "graft.nextChange"));
  for (const hunk of hunks) lenses.push(...hunkLenses(hunk, uri, Math.min(hunk.proposed.start, Math.max(0, lineCount - 1))));
  return lenses;
}

function hunkLenses(hunk: Hunk, uri: string, line: number): vscode.CodeLens[] {
  const accept = hunk.conflict
    ? lens(line, `✓ ${t("Overwrite my edit")}`, "graft.acceptHunk", uri, hunk.id, OVERWRITE)
    : lens(line, `✓ ${t("Accept")}`, "graft.acceptHunk", uri, hunk.id);
  const caution = cautionMessage(t, hunk);
  return [accept, lens(line, `✗ ${t("Reject")}`, "graft.rejectHunk", uri, hunk.id), ...(caution ? [lens(line, `⚠ ${caution}`)] : [])];
}

/** The lenses at the top of the file's own editor while its proposal is pending. */
export function fileLenses(review: ReviewState): vscode.CodeLens[] {
  const uri = review.realUri.toString();
  const show = lens(0, t("Show"), "graft.showProposals", uri);
  if (review.streaming) return [lens(0, `$(sync~spin) ${t("Graft is writing a proposal…")}`), show];
  if (review.isBehind) return [lens(0, catchingUp(), "graft.showProposals", uri)];
  const { length } = review.hunks();
  if (length === 0) return [];
  return [
    lens(0, t("Graft proposes {changes}", { changes: changeCount(t, length) }), "graft.showProposals", uri),
    show,
    lens(0, t("Accept file"), "graft.acceptFile", uri),
    lens(0, t("Reject file"), "graft.rejectFile", uri),
  ];
}

function catchingUp(): string {
  return `$(sync~spin) ${t("The diff is catching up…")}`;
}
