import * as vscode from "vscode";
import { type HunkDetail, hunkDetails } from "../../edits/review/hunkDetails.ts";
import type { Side } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { multiDiffTabs, ownEditors } from "./diffTabs.ts";
import { isByHand } from "./watchFiles.ts";

/** What has been unfolded in one editor, by hunk id. */
interface Unfolded {
  /** Hunks whose fold was opened: the user may close it again. */
  readonly opened: Set<string>;
  /** Hunks that were opened in case they are folded beyond what the editor shows. */
  readonly tried: Set<string>;
}

/**
 * Opens the folds of a diff in which hunks are. VS Code folds what its diff shows as unchanged:
 * always in the editor of all proposals, and in other diffs where the user wants that. It opens a
 * fold for a cursor, so each line gets one for a moment, in editors that the user has not been in.
 */
export function unfoldHunks(reviews: () => readonly EditorReview[]): vscode.Disposable {
  const { window } = vscode;
  const touched = new WeakSet<vscode.TextEditor>();
  const unfolded = new WeakMap<vscode.TextEditor, Unfolded>();

  const look = (editor: vscode.TextEditor, review: EditorReview, side: Side) => {
    if (review.streaming || review.proposal.isBehind || touched.has(editor)) return;
    // Only the proposal gets the focus from Graft; elsewhere it is the user who came.
    if (
      side === "real" &&
      (editor === window.activeTextEditor || ownEditors(review.file.uri).includes(editor))
    )
      return;
    const known = unfolded.get(editor) ?? { opened: new Set(), tried: new Set() };
    unfolded.set(editor, known);
    const hunks = review.hunks();
    const details = hunks.length > 0 ? hunkDetails(review) : null;
    const lines = hunks.flatMap((hunk) =>
      foldedLines(editor, hunk, side, details?.get(hunk.id), known),
    );
    if (lines.length === 0) return;
    const { selections } = editor;
    editor.selections = lines.map((line) => new vscode.Selection(line, 0, line, 0));
    editor.selections = selections;
  };

  const lookAt = (editor: vscode.TextEditor) => {
    const key = editor.document.uri.toString();
    for (const review of reviews()) {
      if (key === review.proposalUri) look(editor, review, "proposed");
      if (key === review.file.uri) look(editor, review, "real");
    }
  };

  return vscode.Disposable.from(
    window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => lookAt(textEditor)),
    window.onDidChangeTextEditorSelection((event) => {
      if (isByHand(event)) touched.add(event.textEditor);
    }),
  );
}

/** The lines of a hunk that may be in a fold now, and were not opened before. */
function foldedLines(
  editor: vscode.TextEditor,
  hunk: Hunk,
  side: Side,
  detail: HunkDetail | undefined,
  known: Unfolded,
): number[] {
  const lines = hiddenLines(editor, hunk, side, detail);
  const ranges = editor.visibleRanges;
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (lines.length === 0 || !first || !last || known.opened.has(hunk.id)) return [];
  const folded = lines.filter(
    (line) => !ranges.some(({ start, end }) => line >= start.line && line <= end.line),
  );
  // Between two visible parts there is nothing but a fold.
  if (folded.some((line) => line > first.start.line && line < last.end.line))
    known.opened.add(hunk.id);
  else if (folded.length < lines.length) {
    if (known.tried.has(hunk.id)) known.opened.add(hunk.id);
    return [];
  } else if (!mayFold(editor)) return [];
  known.tried.add(hunk.id);
  return lines;
}

/** The lines that VS Code may take for unchanged; beside removed lines the two that stay. */
function hiddenLines(
  { document }: vscode.TextEditor,
  hunk: Hunk,
  side: Side,
  detail: HunkDetail | undefined,
): number[] {
  if (!detail) return [];
  const { start, end } = hunk[side];
  const [from, to] = start === end ? [start - 1, start + 1] : [start, end];
  const lines = detail.maybeHidden
    ? Array.from({ length: to - from }, (_, index) => from + index)
    : detail.whitespace.map((change) => change[side]);
  return lines.filter((line) => line >= 0 && line < document.lineCount);
}

/** True for diffs in which VS Code folds unchanged lines. */
function mayFold({ document: { uri, languageId } }: vscode.TextEditor): boolean {
  const setting = vscode.workspace
    .getConfiguration("diffEditor", { uri, languageId })
    .get<boolean>("hideUnchangedRegions.enabled");
  return setting === true || multiDiffTabs().some((tab) => tab.isActive);
}
