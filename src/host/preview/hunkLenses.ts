import * as vscode from "vscode";
import { firstWords } from "../../base/text/clip.ts";
import { hunkDetails } from "../../edits/review/hunkDetails.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { authorsOf, chatsOf } from "../../review/proposals/outcomeReporter.ts";
import { agentsText, fromChatsText } from "../../turns/messages.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { t } from "../localize.ts";
import { changeCount } from "../messages.ts";
import type { MixedLineEnds } from "../workspace/mixedLineEnds.ts";
import { cautionMessage, hunkLabel, hunkSummary } from "./messages.ts";
import { fileHasOwnRow, writersIn } from "./reviewTargets.ts";

/**
 * The third argument of `graft.acceptHunk` when the user has seen that accepting overwrites their
 * edit.
 */
export const OVERWRITE = "overwrite";

/** Characters of a chat's title in a lens, beside which others must have room. */
const LENS_CHARS = 24;

/** What stands over one hunk besides its own warnings. */
export interface HunkMark {
  /** The URI of its proposal. */
  readonly proposal: string;
  readonly hunkId: string;
  readonly text: string;
}

/** What lenses say besides the hunks' own words. */
export interface LensWords {
  readonly marked: readonly HunkMark[];
  /** What a chat is called; "" where that is not known. */
  titleOf(chatId: string): string;
}

/** The mark of a hunk by its index in its file's proposal; undefined for one that is not there. */
export function hunkMark(
  review: EditorReview | undefined,
  hunk: number | null,
  text: string,
): HunkMark | undefined {
  const hunkId = review?.hunks()[hunk ?? -1]?.id;
  return review && hunkId !== undefined
    ? { proposal: review.proposalUri, hunkId, text }
    : undefined;
}

/** What saving gives to all lines of a file that has both kinds. */
type LineEnds = ReturnType<MixedLineEnds["next"]>;

function lineEndLenses(lineEnds: LineEnds): vscode.CodeLens[] {
  return lineEnds ? [lens(0, `⚠ ${t("Saving makes all line ends {lineEnds}", { lineEnds })}`)] : [];
}

function lens(
  line: number,
  title: string,
  command = "",
  ...args: readonly string[]
): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
    title,
    command,
    arguments: [...args],
  });
}

/**
 * The lenses of the proposal: the file's at the top, then each hunk's. Nothing can be decided while
 * it streams or its diff is behind.
 */
export function proposalLenses(
  review: EditorReview,
  lineCount: number,
  lineEnds: LineEnds,
  { marked, titleOf }: LensWords,
): vscode.CodeLens[] {
  if (review.streaming) return [lens(0, `$(sync~spin) ${t("Graft is writing…")}`)];
  if (review.proposal.isBehind) return [lens(0, catchingUp())];
  const uri = review.proposalUri;
  const hunks = review.hunks();
  if (hunks.length === 0) return [];
  const lenses = [];
  if (fileHasOwnRow(hunks, "proposed")) {
    const changes = changeCount(t, hunks.length);
    lenses.push(
      lens(0, t("Accept file ({changes})", { changes }), "graft.acceptFile", uri),
      lens(0, t("Reject file"), "graft.rejectFile", uri),
    );
    if (hunks.length > 1) lenses.push(lens(0, t("Next change"), "graft.nextChange"));
  }
  const details = hunkDetails(review);
  for (const hunk of hunks) {
    const line = Math.min(hunk.proposed.start, Math.max(0, lineCount - 1));
    lenses.push(
      ...marks(hunk, line, marked),
      ...decisions(hunk, uri, line, chatLens(review, hunk, line, titleOf)),
      ...cautions(hunk, line),
      lens(line, hunkLabel(t, hunk, details.get(hunk.id)) + byAgents(review, hunk)),
    );
  }
  return [...lineEndLenses(lineEnds), ...lenses];
}

/** Whose it is, where it is an agent of another maker's. */
function byAgents({ reviewedBlocks }: EditorReview, { blockIds }: Hunk): string {
  const agents = authorsOf(reviewedBlocks, blockIds);
  return agents.length === 0 ? "" : ` · ${agentsText(t, agents)}`;
}

/** Which chats wrote it, where several wrote in the file. */
function chatLens(
  review: EditorReview,
  { blockIds }: Hunk,
  line: number,
  titleOf: LensWords["titleOf"],
): vscode.CodeLens[] {
  if (writersIn(review).length < 2) return [];
  const titles = chatsOf(review.reviewedBlocks, blockIds).flatMap(({ chatId, agent }) =>
    agent === undefined ? [firstWords(titleOf(chatId), LENS_CHARS)] : [],
  );
  return titles.length === 0 ? [] : [lens(line, fromChatsText(t, titles))];
}

function cautions(hunk: Hunk, line: number): vscode.CodeLens[] {
  const caution = cautionMessage(t, hunk);
  return caution ? [lens(line, `⚠ ${caution}`)] : [];
}

/** First of all, since a narrow editor cuts off what is last. */
function marks(hunk: Hunk, line: number, marked: readonly HunkMark[]): vscode.CodeLens[] {
  return marked
    .filter(({ hunkId }) => hunkId === hunk.id)
    .map(({ text }) => lens(line, `⚠ ${text}`));
}

/**
 * What the user can do with a hunk, and `named` behind it, whose it is. Taking Graft's lines of a conflict asks nothing more: the
 * caution beside it says what it does.
 */
function decisions(
  hunk: Hunk,
  uri: string,
  line: number,
  named: readonly vscode.CodeLens[],
): vscode.CodeLens[] {
  if (!hunk.conflict) {
    return [
      lens(line, `✓ ${t("Accept")}`, "graft.acceptHunk", uri, hunk.id),
      lens(line, `✗ ${t("Reject")}`, "graft.rejectHunk", uri, hunk.id),
      ...named,
      lens(line, t("Ask for a change…"), "graft.changeHunk", uri, hunk.id),
    ];
  }
  return [
    lens(line, `✗ ${t("Keep mine")}`, "graft.rejectHunk", uri, hunk.id),
    lens(line, `✓ ${t("Take proposed")}`, "graft.acceptHunk", uri, hunk.id, OVERWRITE),
    ...named,
    lens(line, t("Show both"), "graft.showProposals", uri, hunk.id),
  ];
}

/**
 * The lenses in the file's own editor while its proposal is pending: the file's at the top, then
 * each hunk's.
 */
export function fileLenses(
  review: EditorReview,
  lineCount: number,
  lineEnds: LineEnds,
  { marked, titleOf }: LensWords,
): vscode.CodeLens[] {
  const uri = review.file.uri;
  if (review.streaming)
    return [
      lens(0, `$(sync~spin) ${t("Graft is writing a proposal…")}`),
      lens(0, t("Review"), "graft.showProposals", uri),
    ];
  if (review.proposal.isBehind) return [lens(0, catchingUp(), "graft.showProposals", uri)];
  const hunks = review.hunks();
  const lenses = [];
  if (fileHasOwnRow(hunks, "real")) {
    lenses.push(
      lens(0, proposedText(review, changeCount(t, hunks.length)), "graft.showProposals", uri),
      lens(0, t("Review"), "graft.showProposals", uri),
      lens(0, t("Accept file"), "graft.acceptFile", uri),
      lens(0, t("Reject file"), "graft.rejectFile", uri),
    );
  }
  const details = hunkDetails(review);
  for (const hunk of hunks) {
    const line = Math.min(hunk.real.start, Math.max(0, lineCount - 1));
    const summary = hunkSummary(t, hunk, details.get(hunk.id)) + byAgents(review, hunk);
    lenses.push(
      ...marks(hunk, line, marked),
      lens(line, summary, "graft.showProposals", uri, hunk.id),
      ...decisions(hunk, uri, line, chatLens(review, hunk, line, titleOf)),
      ...cautions(hunk, line),
    );
  }
  return [...lineEndLenses(lineEnds), ...lenses];
}

function proposedText(review: EditorReview, changes: string): string {
  return review
    .hunks()
    .some(({ blockIds }) => authorsOf(review.reviewedBlocks, blockIds).length > 0)
    ? t("Proposed: {changes}", { changes })
    : t("Graft proposes {changes}", { changes });
}

function catchingUp(): string {
  return `$(sync~spin) ${t("The diff is catching up…")}`;
}
