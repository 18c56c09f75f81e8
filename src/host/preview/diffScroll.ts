import * as vscode from "vscode";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import { editorsOf } from "./diffTabs.ts";

/** Lines kept visible below the place where the answer is being written. */
const FOLLOW_MARGIN = 4;
/** A first hunk within this many lines is shown with the top of the file. */
const TOP_LINES = 15;

/** True while a 0-based line is on the screen. */
export function sees(editor: vscode.TextEditor, line: number): boolean {
  return editor.visibleRanges.some(({ start, end }) => line >= start.line && line <= end.line);
}

/** Scrolls the diffs of growing proposals, until the user scrolls away. */
export class DiffScroll {
  /** 0-based line where each proposal was last written, by its URI. */
  private readonly written = new Map<string, number>();

  /** The answer was last written at `offset`. */
  follow(proposal: string, offset: number): void {
    const before = this.written.get(proposal);
    for (const editor of editorsOf(proposal)) {
      const line = editor.document.positionAt(offset).line;
      this.written.set(proposal, line);
      if (
        before === line ||
        (before !== undefined && !sees(editor, before)) ||
        sees(editor, line + FOLLOW_MARGIN)
      )
        continue;
      const last = Math.min(line + FOLLOW_MARGIN, editor.document.lineCount - 1);
      editor.revealRange(new vscode.Range(line, 0, last, 0));
    }
  }

  /** The proposal is complete: puts the cursor at its first hunk. */
  revealFirst(proposal: string, { proposed: { start } }: Hunk): void {
    const written = this.written.get(proposal) ?? 0;
    this.written.delete(proposal);
    for (const editor of editorsOf(proposal)) {
      if (!sees(editor, written)) continue;
      const line = Math.min(start, editor.document.lineCount - 1);
      editor.selection = new vscode.Selection(line, 0, line, 0);
      // With the file's lenses above the first line if both fit.
      const top = line < TOP_LINES ? 0 : line;
      editor.revealRange(
        new vscode.Range(top, 0, top, 0),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
    }
  }
}
