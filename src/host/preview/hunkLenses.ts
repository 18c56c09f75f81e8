import * as vscode from "vscode";
import { counted } from "../../base/counted.ts";
import type { Hunk } from "../../edits/reviewPlan.ts";
import { warningsText } from "../../turns/blockMessages.ts";
import { t } from "../localize.ts";

/** The third argument of `graft.acceptHunk` where the user has seen that accepting overwrites their edit. */
export const OVERWRITE = "overwrite";

/** What the lenses of a review are made from. */
export interface LensState {
  /** The URI that names the review: the first argument of every command. */
  readonly uri: string;
  /** True while the answer still writes the proposal; nothing can be decided then. */
  readonly streaming: boolean;
  /** True while the diff does not show the whole proposal; nothing can be decided then either. */
  readonly behind: boolean;
  /** Only asked for when the review is neither streaming nor behind. */
  hunks(): readonly Hunk[];
}

function lens(line: number, title: string, command: string, ...args: readonly string[]): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [...args] });
}

/** The sentence above a hunk that should not be accepted unread, or null. */
export function cautionOf(hunk: Hunk): string | null {
  if (hunk.conflict) return "You edited these lines; accepting overwrites your edit.";
  return warningsText(hunk.warnings, t);
}

/** The lenses of the proposal: the file's at the top, then each hunk's. `lineCount` is the document's. */
export function proposalLenses(state: LensState, lineCount: number): vscode.CodeLens[] {
  if (state.streaming) return [lens(0, "$(sync~spin) Graft is writing…", "")];
  if (state.behind) return [lens(0, "$(sync~spin) The diff is catching up…", "")];
  const hunks = state.hunks();
  if (hunks.length === 0) return [];
  const lenses = [
    lens(0, `Accept file (${counted(hunks.length, "change")})`, "graft.acceptFile", state.uri),
    lens(0, "Reject file", "graft.rejectFile", state.uri),
  ];
  // Not where the first hunk's own lenses share the line: a narrow editor would cut those off.
  if (hunks.length > 1 && hunks[0]?.proposed.start !== 0) lenses.push(lens(0, "Next change", "graft.nextChange"));
  for (const hunk of hunks) {
    const line = Math.min(hunk.proposed.start, Math.max(0, lineCount - 1));
    lenses.push(
      hunk.conflict
        ? lens(line, "✓ Overwrite my edit", "graft.acceptHunk", state.uri, hunk.id, OVERWRITE)
        : lens(line, "✓ Accept", "graft.acceptHunk", state.uri, hunk.id),
      lens(line, "✗ Reject", "graft.rejectHunk", state.uri, hunk.id),
    );
    const caution = cautionOf(hunk);
    if (caution) lenses.push(lens(line, `⚠ ${caution}`, ""));
  }
  return lenses;
}

/** The lenses at the top of the real file's own editor while a proposal for it is pending. */
export function fileLenses(state: LensState): vscode.CodeLens[] {
  if (state.streaming) return [lens(0, "$(sync~spin) Graft is writing a proposal…", ""), lens(0, "Show", "graft.showProposals", state.uri)];
  if (state.behind) return [lens(0, "$(sync~spin) The diff is catching up…", "graft.showProposals", state.uri)];
  const { length } = state.hunks();
  if (length === 0) return [];
  return [
    lens(0, `Graft proposes ${counted(length, "change")}`, "graft.showProposals", state.uri),
    lens(0, "Show", "graft.showProposals", state.uri),
    lens(0, "Accept file", "graft.acceptFile", state.uri),
    lens(0, "Reject file", "graft.rejectFile", state.uri),
  ];
}
