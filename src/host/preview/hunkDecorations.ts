import * as vscode from "vscode";
import type { HunkDetail } from "../../edits/review/hunkDetails.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { t } from "../localize.ts";
import { ownEditors } from "./diffTabs.ts";
import { cautionMessage, hunkSummary } from "./messages.ts";

type Shape = "insert" | "delete" | "replace";

/**
 * What each icon draws: a plus, a minus, and a tilde. The shape tells what would happen, the color
 * repeats it.
 */
const SHAPES: Readonly<Record<Shape, string>> = {
  insert: "M8 3v10M3 8h10",
  delete: "M3 8h10",
  replace: "M3 9.5c1.5-4 4-3 5-1.5s3.5 2.5 5-1.5",
};

/**
 * Readable on light, dark and high contrast backgrounds: at least 4.5 to 1 on white and on black.
 */
const ICON_COLORS: Readonly<Record<"light" | "dark", Readonly<Record<Shape, string>>>> = {
  light: { insert: "#1a7f37", delete: "#c5221f", replace: "#0b6bb8" },
  dark: { insert: "#73c991", delete: "#ff8a80", replace: "#6cb6ff" },
};

function iconUri(shape: Shape, theme: "light" | "dark"): vscode.Uri {
  const path = `<path d="${SHAPES[shape]}" fill="none" stroke="${ICON_COLORS[theme][shape]}" stroke-width="2" stroke-linecap="round"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${path}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`);
}

/**
 * The first line of a hunk in the gutter. A decoration of its own, since an icon would repeat on
 * every line of a range.
 */
function gutterMark(shape: Shape): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    gutterIconSize: "contain",
    light: { gutterIconPath: iconUri(shape, "light") },
    dark: { gutterIconPath: iconUri(shape, "dark") },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function shapeOf({ real, proposed }: Hunk): Shape {
  if (real.start === real.end) return "insert";
  return proposed.start === proposed.end ? "delete" : "replace";
}

/** Decorations in a file's own editor on the lines that a pending proposal would change. */
export class HunkDecorations implements vscode.Disposable {
  private readonly changed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
    // High contrast themes have no such background color.
    borderWidth: "0 0 0 3px",
    borderStyle: "solid",
    borderColor: new vscode.ThemeColor("editorGutter.modifiedBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  /** The lines of a new file, as a diff has them. */
  private readonly added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
    borderWidth: "0 0 0 3px",
    borderStyle: "solid",
    borderColor: new vscode.ThemeColor("editorGutter.addedBackground"),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly gutter: Readonly<Record<Shape, vscode.TextEditorDecorationType>> = {
    insert: gutterMark("insert"),
    delete: gutterMark("delete"),
    replace: gutterMark("replace"),
  };
  private readonly inserted = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  /**
   * Shows exactly these hunks in every editor of the file; calls `hunks` only when there is one.
   */
  render(
    uri: string,
    hunks: () => readonly Hunk[],
    details: () => ReadonlyMap<string, HunkDetail> = () => new Map(),
  ): void {
    for (const editor of ownEditors(uri)) {
      const changed: vscode.DecorationOptions[] = [];
      const inserted: vscode.DecorationOptions[] = [];
      const marks: Record<Shape, vscode.Range[]> = { insert: [], delete: [], replace: [] };
      const lastLine = editor.document.lineCount - 1;
      for (const hunk of hunks()) {
        const { start, end } = hunk.real;
        // Inserted lines are marked at the line above them.
        const first = Math.min(start === end ? Math.max(0, start - 1) : start, lastLine);
        marks[shapeOf(hunk)].push(new vscode.Range(first, 0, first, 0));
        const lines = new vscode.Range(first, 0, Math.min(Math.max(first, end - 1), lastLine), 0);
        (start === end ? inserted : changed).push({
          range: lines,
          hoverMessage: hoverOf(hunk, details().get(hunk.id)),
        });
      }
      editor.setDecorations(this.changed, changed);
      editor.setDecorations(this.inserted, inserted);
      for (const shape of ["insert", "delete", "replace"] as const)
        editor.setDecorations(this.gutter[shape], marks[shape]);
    }
  }

  /** Shows the proposal of a new file as added, where no diff does. */
  renderNew(proposal: string): void {
    for (const editor of ownEditors(proposal)) {
      const { lineCount } = editor.document;
      const last = editor.document.lineAt(lineCount - 1);
      const end = last.range.isEmpty ? lineCount - 2 : lineCount - 1;
      editor.setDecorations(this.added, end < 0 ? [] : [new vscode.Range(0, 0, end, 0)]);
    }
  }

  dispose(): void {
    this.added.dispose();
    this.changed.dispose();
    this.inserted.dispose();
    for (const mark of Object.values(this.gutter)) mark.dispose();
  }
}

/** As plain text, since a warning may quote the file. */
function hoverOf(hunk: Hunk, detail: HunkDetail | undefined): vscode.MarkdownString {
  const caution = cautionMessage(t, hunk);
  return new vscode.MarkdownString().appendText(
    hunkSummary(t, hunk, detail) + (caution ? `\n⚠ ${caution}` : ""),
  );
}
