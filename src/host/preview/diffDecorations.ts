import * as vscode from "vscode";
import { type HunkDetail, hunkDetails } from "../../edits/review/hunkDetails.ts";
import type { Side } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { LineRange } from "../../edits/text/lineDiff.ts";
import { chatsOf } from "../../review/proposals/outcomeReporter.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { t } from "../localize.ts";
import { editorsOf, ownEditors } from "./diffTabs.ts";
import { finalNewlineNote, removedLinesNote, whitespaceNotes } from "./messages.ts";
import { writersIn } from "./reviewTargets.ts";

const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;

function wholeLine(
  borderWidth: string,
  borderStyle: string,
  borderColor: string,
): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth,
    borderStyle,
    borderColor: new vscode.ThemeColor(borderColor),
    rangeBehavior,
  });
}

/** Also on the scroll bar, as VS Code marks the lines that it draws. */
function background(color: string, ruler: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(color),
    overviewRulerColor: new vscode.ThemeColor(ruler),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior,
  });
}

/**
 * A box, since high contrast themes have no background colors, with a visible character for each
 * space and tab in it.
 */
function box(borderColor: string, backgroundColor: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    borderWidth: "1px",
    borderStyle: "solid",
    borderColor: new vscode.ThemeColor(borderColor),
    backgroundColor: new vscode.ThemeColor(backgroundColor),
    before: { color: new vscode.ThemeColor("editorCodeLens.foreground"), width: "0" },
    rangeBehavior,
  });
}

/**
 * The bar of a chat's hunks where several wrote in one file: at least 4.5 to 1 on white and on
 * black.
 */
function writerBar(light: string, dark: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth: "0 0 0 3px",
    borderStyle: "solid",
    light: { borderColor: light, overviewRulerColor: light },
    dark: { borderColor: dark, overviewRulerColor: dark },
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    rangeBehavior,
  });
}

const WRITER_BARS = ["writer0", "writer1", "writer2", "writer3"] as const;

function createTypes() {
  const [removed, added] = ["editorGutter.deletedBackground", "editorGutter.addedBackground"];
  return {
    // The lines of a hunk.
    realBar: wholeLine("0 0 0 3px", "solid", removed),
    proposedBar: wholeLine("0 0 0 3px", "solid", added),
    writer0: writerBar("#8250df", "#d2a8ff"),
    writer1: writerBar("#bc4c00", "#ffa657"),
    writer2: writerBar("#0b6bb8", "#6cb6ff"),
    writer3: writerBar("#0f766e", "#56d4c8"),
    // Lines that VS Code may leave as if they were unchanged.
    realLine: background(
      "diffEditor.removedLineBackground",
      "editorOverviewRuler.deletedForeground",
    ),
    proposedLine: background(
      "diffEditor.insertedLineBackground",
      "editorOverviewRuler.addedForeground",
    ),
    // Whitespace that changes.
    realBlanks: box(removed, "diffEditor.removedTextBackground"),
    proposedBlanks: box(added, "diffEditor.insertedTextBackground"),
    // Where lines are removed: above or below the line that stays.
    cutAbove: wholeLine("2px 0 0 0", "dashed", removed),
    cutBelow: wholeLine("0 0 2px 0", "dashed", removed),
    note: vscode.window.createTextEditorDecorationType({
      after: {
        color: new vscode.ThemeColor("editorCodeLens.foreground"),
        fontStyle: "italic",
        margin: "0 0 0 2ch",
      },
      rangeBehavior,
    }),
  };
}

type Types = ReturnType<typeof createTypes>;
type Drawn = Record<keyof Types, vscode.DecorationOptions[]>;
type Draw = (
  marks: Drawn,
  editor: vscode.TextEditor,
  hunk: Hunk,
  detail: HunkDetail | undefined,
  writer: (typeof WRITER_BARS)[number] | null,
) => void;

const noMarks = (): Drawn => ({
  realBar: [],
  proposedBar: [],
  writer0: [],
  writer1: [],
  writer2: [],
  writer3: [],
  realLine: [],
  proposedLine: [],
  realBlanks: [],
  proposedBlanks: [],
  cutAbove: [],
  cutBelow: [],
  note: [],
});

/**
 * Graft's own marks in a diff: a bar along every hunk, and what VS Code's diff may not show of it.
 * VS Code hides changes of whitespace by default. With these marks, no setting decides whether the
 * user sees a change that Accept takes.
 */
export class DiffDecorations implements vscode.Disposable {
  private readonly types = createTypes();
  /** The hunks that are drawn in each editor. */
  private readonly drawn = new WeakMap<vscode.TextEditor, readonly Hunk[]>();

  /**
   * Marks a review's hunks in all editors of its file and its proposal; none while the proposal
   * grows, or when the review is over.
   */
  render(review: EditorReview): void {
    // The hunks are those of a text that the editor will show soon.
    if (!review.ended && !review.streaming && review.proposal.isBehind) return;
    const own = new Set(ownEditors(review.file.uri));
    for (const editor of editorsOf(review.file.uri))
      this.show(editor, review, own.has(editor) ? drawOwn : drawReal);
    // Without a file there is nothing to compare with, and all lines are marked as new.
    if (review.fileExists)
      for (const editor of editorsOf(review.proposalUri)) this.show(editor, review, drawProposed);
  }

  dispose(): void {
    for (const type of Object.values(this.types)) type.dispose();
  }

  private show(editor: vscode.TextEditor, review: EditorReview, draw: Draw): void {
    const hunks = review.streaming ? [] : review.hunks();
    const before = this.drawn.get(editor);
    if (before === hunks || (hunks.length === 0 && (before ?? []).length === 0)) return;
    this.drawn.set(editor, hunks);
    const marks = noMarks();
    const details = hunks.length > 0 ? hunkDetails(review) : null;
    const writerOf = writerBars(review);
    for (const hunk of hunks) draw(marks, editor, hunk, details?.get(hunk.id), writerOf(hunk));
    const { types } = this;
    for (const name of Object.keys(marks) as (keyof Drawn)[])
      editor.setDecorations(types[name], marks[name]);
  }
}

/** Whose bar a hunk has: only where several chats wrote in the file, and one of them this hunk. */
function writerBars(review: EditorReview): (hunk: Hunk) => (typeof WRITER_BARS)[number] | null {
  const isShared = writersIn(review).length > 1;
  // A decision changes no other chat's color.
  const all = [...new Set(review.reviewedBlocks.map(({ origin }) => origin.chatId))];
  return ({ blockIds }) => {
    const [only, ...more] = chatsOf(review.reviewedBlocks, blockIds);
    if (!isShared || !only || more.length > 0) return null;
    return WRITER_BARS[all.indexOf(only.chatId) % WRITER_BARS.length] ?? null;
  };
}

/** The file on the left side of a diff. */
const drawReal: Draw = (marks, editor, hunk, detail, writer) => {
  const lines = decorated(editor, hunk.real);
  marks[writer ?? "realBar"].push(...lines);
  if (detail?.maybeHidden) marks.realLine.push(...lines);
  drawBlanks(marks.realBlanks, editor, "real", detail);
};

/** The file in its own editor, where `HunkDecorations` marks the lines. */
const drawOwn: Draw = (marks, editor, hunk, detail) => {
  drawBlanks(marks.realBlanks, editor, "real", detail);
  drawNotes(marks.note, editor, "real", hunk, detail);
};

const drawProposed: Draw = (marks, editor, hunk, detail, writer) => {
  const lines = decorated(editor, hunk.proposed);
  marks[writer ?? "proposedBar"].push(...lines);
  if (detail?.maybeHidden) marks.proposedLine.push(...lines);
  drawBlanks(marks.proposedBlanks, editor, "proposed", detail);
  drawNotes(marks.note, editor, "proposed", hunk, detail);
  const isCut = lines.length === 0;
  const isBelow = hunk.proposed.start >= editor.document.lineCount;
  const line = Math.min(hunk.proposed.start, editor.document.lineCount - 1);
  if (isCut)
    (isBelow ? marks.cutBelow : marks.cutAbove).push({ range: new vscode.Range(line, 0, line, 0) });
  if (!detail?.maybeHidden || detail.removed.length === 0) return;
  marks.note.push(
    noteAt(
      editor,
      line,
      removedLinesNote(t, detail.removed, isCut ? (isBelow ? "below" : "above") : "here"),
    ),
  );
};

/** Empty where the range has no lines. */
function decorated(
  { document }: vscode.TextEditor,
  { start, end }: LineRange,
): vscode.DecorationOptions[] {
  const last = Math.min(end, document.lineCount) - 1;
  return start <= last ? [{ range: new vscode.Range(start, 0, last, 0) }] : [];
}

function drawBlanks(
  into: vscode.DecorationOptions[],
  editor: vscode.TextEditor,
  side: Side,
  detail: HunkDetail | undefined,
): void {
  const { document, options } = editor;
  const tabSize = typeof options.tabSize === "number" ? options.tabSize : 4;
  for (const { leading, trailing, ...lines } of detail?.whitespace ?? []) {
    const line = lines[side];
    if (line >= document.lineCount) continue;
    const { text } = document.lineAt(line);
    const add = (from: number, blanks: string | undefined) => {
      if (!blanks || !text.startsWith(blanks, from)) return;
      const contentText = visibleBlanks(text, from, blanks.length, tabSize);
      into.push({
        range: new vscode.Range(line, from, line, from + blanks.length),
        renderOptions: { before: { contentText } },
      });
    };
    const when = side === "real" ? "before" : "after";
    add(0, leading?.[when]);
    add(text.length - (trailing?.[when].length ?? 0), trailing?.[when]);
  }
}

/** A dot for each space and an arrow for each tab, as wide as they are. */
function visibleBlanks(text: string, from: number, length: number, tabSize: number): string {
  let column = 0;
  let shown = "";
  for (let at = 0; at < from + length; at++) {
    const isTab = text[at] === "\t";
    const width = isTab ? tabSize - (column % tabSize) : 1;
    column += width;
    if (at >= from) shown += (isTab ? "→" : "·") + "\u00a0".repeat(width - 1);
  }
  return shown;
}

function drawNotes(
  into: vscode.DecorationOptions[],
  editor: vscode.TextEditor,
  side: Side,
  hunk: Hunk,
  detail: HunkDetail | undefined,
): void {
  if (!detail) return;
  for (const { change, text } of whitespaceNotes(t, detail.whitespace))
    into.push(noteAt(editor, change[side], text));
  if (detail.finalNewline)
    into.push(noteAt(editor, hunk[side].end - 1, finalNewlineNote(t, detail.finalNewline)));
}

function noteAt(
  { document }: vscode.TextEditor,
  line: number,
  contentText: string,
): vscode.DecorationOptions {
  const { range } = document.lineAt(Math.min(line, document.lineCount - 1));
  return {
    range: new vscode.Range(range.end, range.end),
    renderOptions: { after: { contentText } },
  };
}
