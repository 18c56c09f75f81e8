import * as vscode from "vscode";
import { counted } from "../../base/counted.ts";
import type { Hunk } from "../../edits/reviewPlan.ts";
import { ownEditors } from "./diffTab.ts";
import { cautionOf } from "./hunkLenses.ts";

function describe(hunk: Hunk): string {
  const removed = hunk.real.end - hunk.real.start;
  const added = hunk.proposed.end - hunk.proposed.start;
  if (removed === 0) return `Graft proposes to insert ${counted(added, "line")} here.`;
  if (added === 0) return `Graft proposes to delete ${removed === 1 ? "this line" : `these ${removed} lines`}.`;
  return `Graft proposes to replace ${removed === 1 ? "this line" : `these ${removed} lines`} by ${counted(added, "line")}.`;
}

/** Marks in a file's own editor at the lines that a pending proposal would change. */
export class PendingMarks implements vscode.Disposable {
  private readonly changed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
    // High contrast themes have no such background.
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

  /** Shows exactly these hunks in every editor of the file; `hunks` is called only when there is such an editor. */
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
    const caution = cautionOf(hunk);
    // As text: a guard's sentence may quote the file.
    const hoverMessage = new vscode.MarkdownString().appendText(caution ? `${describe(hunk)}\n⚠ ${caution}` : describe(hunk));
    if (hunk.real.end > hunk.real.start) {
      changed.push({ range: new vscode.Range(hunk.real.start, 0, Math.min(hunk.real.end - 1, lastLine), 0), hoverMessage });
      return;
    }
    const above = hunk.real.start > 0;
    const line = Math.min(above ? hunk.real.start - 1 : 0, lastLine);
    const contentText = `+ ${counted(hunk.proposed.end - hunk.proposed.start, "line")} proposed ${above ? "below" : "above"}`;
    inserted.push({
      range: new vscode.Range(line, Number.MAX_SAFE_INTEGER, line, Number.MAX_SAFE_INTEGER),
      hoverMessage,
      renderOptions: { after: { contentText } },
    });
  }
}
