import * as vscode from "vscode";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { t } from "../localize.ts";
import { ownEditors } from "./diffTabs.ts";
import { cautionMessage, hunkMessage, insertionMessage } from "./messages.ts";

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
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly inserted = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    after: { color: new vscode.ThemeColor("editorCodeLens.foreground"), margin: "0 0 0 2em" },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  /** Shows exactly these hunks in every editor of the file; calls `hunks` only when there is one. */
  render(uri: vscode.Uri, hunks: () => readonly Hunk[]): void {
    for (const editor of ownEditors(uri)) {
      const changed: vscode.DecorationOptions[] = [];
      const inserted: vscode.DecorationOptions[] = [];
      for (const hunk of hunks()) this.place(hunk, editor.document.lineCount - 1, changed, inserted);
      editor.setDecorations(this.changed, changed);
      editor.setDecorations(this.inserted, inserted);
    }
  }

  dispose(): void {
    this.changed.dispose();
    this.inserted.dispose();
  }

  private place(hunk: Hunk, lastLine: number, changed: vscode.DecorationOptions[], inserted: vscode.DecorationOptions[]): void {
    const caution = cautionMessage(t, hunk);
    // As plain text, since a warning may quote the file.
    const hoverMessage = new vscode.MarkdownString().appendText(hunkMessage(t, hunk) + (caution ? `\n⚠ ${caution}` : ""));
    if (hunk.real.end > hunk.real.start) {
      changed.push({ range: new vscode.Range(hunk.real.start, 0, Math.min(hunk.real.end - 1, lastLine), 0), hoverMessage });
      return;
    }
    const below = hunk.real.start > 0;
    const line = Math.min(below ? hunk.real.start - 1 : 0, lastLine);
    inserted.push({
      range: new vscode.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER),
      hoverMessage,
      renderOptions: { after: { contentText: insertionMessage(t, hunk, below) } },
    });
  }
}
