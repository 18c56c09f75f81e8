import * as vscode from "vscode";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import type { Logger } from "../../ports/logger.ts";
import { closeProposalTabs, openDiff, ownEditors, proposalEditors, proposalOf, proposalTabs } from "./diffTabs.ts";
import type { FileReview } from "./fileReview.ts";
import { HunkDecorations } from "./hunkDecorations.ts";
import { fileLenses, proposalLenses } from "./hunkLenses.ts";
import { adjacentHunk, linesOf } from "./hunkLocations.ts";
import { TypingMonitor } from "./typingMonitor.ts";

/** Milliseconds between two redraws of lenses and decorations. */
const REDRAW_INTERVAL_MS = 33;
/** A diff that closed within this many milliseconds of its file's rename was closed by VS Code, not by the user. */
const CLOSED_WITH_FILE_MS = 2_000;
/** Lines kept visible below the place where the answer is being written. */
const FOLLOW_MARGIN = 4;

/** A first hunk within this many lines is shown with the top of the file. */
const TOP_LINES = 15;

function sees(editor: vscode.TextEditor, line: number): boolean {
  return editor.visibleRanges.some(({ start, end }) => line >= start.line && line <= end.line);
}

export interface PreviewWindowOptions {
  readonly scheme: string;
  reviews(): readonly FileReview[];
  /** Offers inline diffs when it is time to. */
  offerInline(): void;
  readonly logger: Logger;
}

/** What the user sees of the preview: diff tabs, lenses, decorations in the file's own editor, context keys. */
export class PreviewWindow implements Disposable {
  /** Set when the window closes; then nothing is brought to the front. */
  closing = false;
  private readonly options: PreviewWindowOptions;
  private readonly owned = new DisposableStack();
  private readonly lensesChanged = this.owned.add(new vscode.EventEmitter<void>());
  private readonly marks = this.owned.add(new HunkDecorations());
  private readonly typing = this.owned.add(new TypingMonitor());
  private readonly emptyScheme: string;
  /** Reviews whose diff was opened once; the user may have closed it. */
  private readonly opened = new WeakSet<FileReview>();
  /** The latest opening of each review's diff, pending or done. */
  /** Diffs that are opening now, how many have been opened, and the last one. */
  private readonly diffs: { opening: number; opened: number; last: FileReview | null } = { opening: 0, opened: 0, last: null };
  private readonly openings = new WeakMap<FileReview, Promise<void>>();
  /** Reviews in whose diff the user moved the cursor; in others a step begins at the first or last hunk. */
  private readonly visited = new WeakSet<FileReview>();
  /** When each review's diff was last closed. */
  private readonly closedAt = new WeakMap<FileReview, number>();
  /** 0-based line where each streaming proposal was last written. */
  private readonly written = new WeakMap<FileReview, number>();
  /** Reviews whose diff opens when the user pauses typing. */
  private readonly waiting = new Set<FileReview>();
  private readonly contexts = new Map<string, boolean>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private redrawing = false;

  constructor(options: PreviewWindowOptions) {
    this.options = options;
    const { scheme } = options;
    this.emptyScheme = `${scheme}-empty`;
    this.owned.add(vscode.workspace.registerTextDocumentContentProvider(this.emptyScheme, { provideTextDocumentContent: () => "" }));
    const lenses: vscode.CodeLensProvider = {
      onDidChangeCodeLenses: this.lensesChanged.event,
      provideCodeLenses: (document) => this.lensesOf(document),
    };
    this.owned.add(vscode.languages.registerCodeLensProvider({ pattern: "**" }, lenses));
    this.owned.add(
      vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
        this.tabsChanged(closed);
        this.closeOrphans(opened);
      }),
    );
    this.owned.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.tabsChanged()));
    this.owned.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        if (kind !== vscode.TextEditorSelectionChangeKind.Keyboard && kind !== vscode.TextEditorSelectionChangeKind.Mouse) return;
        const review = this.reviewOf(textEditor.document.uri);
        if (review) this.visited.add(review);
      }),
    );
    this.owned.add(vscode.window.onDidChangeVisibleTextEditors(() => this.redrawSoon()));
    this.owned.add(
      disposable(() => {
        for (const timer of this.timers) clearTimeout(timer);
        this.setContexts();
      }),
    );
  }

  /** The proposal grew, most recently at `offset`. */
  grew(review: FileReview, offset: number): void {
    this.openOnce(review);
    this.follow(review, offset);
    this.redrawSoon();
  }

  /** The proposal is complete: shows its first hunk unless the user scrolled away. */
  complete(review: FileReview): void {
    const first = review.hunks()[0];
    if (first) this.openOnce(review);
    this.redrawSoon();
    const written = this.written.get(review);
    for (const editor of first && written !== undefined ? proposalEditors(review.proposalUri) : []) {
      if (!sees(editor, written ?? 0)) continue;
      // With the file's lenses above the first line if both fit.
      const start = (first?.proposed.start ?? 0) < TOP_LINES ? 0 : (first?.proposed.start ?? 0);
      editor.revealRange(new vscode.Range(start, 0, start, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** Brings the diff to the front and focuses it. */
  show(review: FileReview): Promise<void> {
    return this.open(review, false);
  }

  /** Selects the next or previous hunk, in the active editor if it shows the file or the proposal, else in the diff. */
  async step(review: FileReview, direction: "next" | "previous"): Promise<void> {
    let editor = vscode.window.activeTextEditor;
    const key = editor?.document.uri.toString();
    const side = key === review.realUri.toString() ? "real" : "proposed";
    const elsewhere = side === "proposed" && key !== review.proposalUri.toString();
    if (elsewhere) {
      await this.show(review);
      editor = proposalEditors(review.proposalUri)[0];
    }
    if (!editor) return;
    const fresh = elsewhere || (side === "proposed" && !this.visited.has(review));
    this.visited.add(review);
    const line = fresh ? (direction === "next" ? -1 : editor.document.lineCount) : editor.selection.active.line;
    const hunk = adjacentHunk(review.hunks(), side, line, direction);
    if (!hunk) return;
    const start = Math.min(linesOf(hunk, side).start, editor.document.lineCount - 1);
    editor.selection = new vscode.Selection(start, 0, start, 0);
    editor.revealRange(new vscode.Range(start, 0, start, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  }

  /** The file moved away from `from`: opens the diff with the file's new place. */
  async moved(review: FileReview, from: vscode.Uri): Promise<void> {
    this.marks.render(from, () => []);
    this.redrawSoon();
    await this.openings.get(review);
    const key = review.proposalUri.toString();
    const isShown = proposalTabs((uri) => uri.toString() === key).length > 0;
    // VS Code closes a diff whose file goes away, before or after this.
    const wasShown = Date.now() - (this.closedAt.get(review) ?? 0) < CLOSED_WITH_FILE_MS;
    if (review.ended || this.closing || !(isShown || wasShown)) return;
    await this.open(review, true);
    const stale = proposalTabs((uri) => uri.toString() === key).filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.original.toString() === from.toString(),
    );
    await vscode.window.tabGroups.close(stale, true);
  }

  /** The review ended: closes its diff and shows the file near `line` in its place. */
  async ended(review: FileReview, line: number | null): Promise<void> {
    this.marks.render(review.realUri, () => []);
    this.redrawSoon();
    try {
      // A diff that is still opening would stay open without its proposal.
      await this.openings.get(review);
      await review.proposal.finish();
      const key = review.proposalUri.toString();
      const isThis = (uri: vscode.Uri) => uri.toString() === key;
      const front = proposalTabs(isThis).find((tab) => tab.isActive);
      const { opened } = this.diffs;
      if (front && review.fileExists && !this.closing && this.diffs.opening === 0)
        await this.showFile(review, front.group.viewColumn, line);
      // The user may have typed meanwhile, and VS Code asks before it closes unsaved text.
      await review.proposal.finish();
      // Looked up again: VS Code may have replaced its tab objects meanwhile, and does not close by an old one.
      await closeProposalTabs(isThis);
      // A diff that opened while the file was shown would stay hidden behind it.
      const { last } = this.diffs;
      if (last && !last.ended && this.diffs.opened !== opened) await this.open(last, true);
    } catch (error) {
      this.options.logger.warn(`Closing the preview of ${review.path} failed: ${String(error)}`);
    }
    const next = this.options.reviews().find((other) => !other.streaming && !this.opened.has(other));
    // Focus that was in this diff moves to the next one.
    if (next && !this.closing) this.openOnce(next, !review.decidedInDiff);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async showFile(review: FileReview, viewColumn: vscode.ViewColumn, line: number | null): Promise<void> {
    const options: vscode.TextDocumentShowOptions = { viewColumn, preserveFocus: !review.decidedInDiff };
    if (line !== null) options.selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(review.realUri), options);
  }

  private openOnce(review: FileReview, preserveFocus = true): void {
    if (this.opened.has(review) || review.ended || this.closing) return;
    const shown = this.reviewOf(proposalOf(vscode.window.tabGroups.activeTabGroup.activeTab));
    if (shown && !shown.streaming) return;
    const busy = this.typing.remaining;
    if (busy > 0) {
      if (this.waiting.has(review)) return;
      this.waiting.add(review);
      this.later(() => {
        this.waiting.delete(review);
        this.openOnce(review, preserveFocus);
      }, busy);
      return;
    }
    this.opened.add(review);
    void this.open(review, preserveFocus);
    this.options.offerInline();
  }

  private open(review: FileReview, preserveFocus: boolean): Promise<void> {
    this.opened.add(review);
    const opening = this.openTab(review, preserveFocus);
    this.openings.set(review, opening);
    return opening;
  }

  private async openTab(review: FileReview, preserveFocus: boolean): Promise<void> {
    this.diffs.opening++;
    this.diffs.opened++;
    this.diffs.last = review;
    const left = review.fileExists ? review.realUri : vscode.Uri.from({ scheme: this.emptyScheme, path: `/${review.path}` });
    try {
      await openDiff(left, review.proposalUri, review.path, preserveFocus);
      await this.setLanguage(review);
    } catch (error) {
      this.options.logger.error(`Opening the preview of ${review.path} failed: ${String(error)}`);
    } finally {
      this.diffs.opening--;
    }
  }

  /** Uses the language that the user chose for the real file. */
  private async setLanguage(review: FileReview): Promise<void> {
    const { languageId } = review;
    const document = proposalEditors(review.proposalUri)[0]?.document;
    if (!document || languageId === "" || document.languageId === languageId || review.ended) return;
    await vscode.languages.setTextDocumentLanguage(document, languageId);
  }

  /** Scrolls along with the answer until the user scrolls away. */
  private follow(review: FileReview, offset: number): void {
    const before = this.written.get(review);
    for (const editor of proposalEditors(review.proposalUri)) {
      const line = editor.document.positionAt(offset).line;
      this.written.set(review, line);
      if (before === line || (before !== undefined && !sees(editor, before)) || sees(editor, line + FOLLOW_MARGIN)) continue;
      const last = Math.min(line + FOLLOW_MARGIN, editor.document.lineCount - 1);
      editor.revealRange(new vscode.Range(line, 0, last, 0));
    }
  }

  private lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
    const key = document.uri.toString();
    for (const review of this.options.reviews()) {
      if (key === review.proposalUri.toString()) return review.ended ? [] : proposalLenses(review, document.lineCount);
      // The left side of the diff shows the same document, and lenses there would repeat the right side's.
      if (key === review.realUri.toString()) return review.ended || ownEditors(review.realUri).length === 0 ? [] : fileLenses(review);
    }
    return [];
  }

  private reviewOf(proposal: vscode.Uri | null): FileReview | undefined {
    const key = proposal?.toString();
    return this.options.reviews().find(({ proposalUri }) => proposalUri.toString() === key);
  }

  private tabsChanged(closed: readonly vscode.Tab[] = []): void {
    for (const tab of closed) {
      const review = this.reviewOf(proposalOf(tab));
      if (review) this.closedAt.set(review, Date.now());
    }
    this.setContexts();
    this.redrawSoon();
  }

  /** Closes the diffs of reviews that ended while their tabs were opening. */
  private closeOrphans(opened: readonly vscode.Tab[]): void {
    const orphans = opened.filter((tab) => {
      const proposal = proposalOf(tab);
      return proposal?.scheme === this.options.scheme && !this.reviewOf(proposal);
    });
    if (orphans.length > 0) void vscode.window.tabGroups.close(orphans, true).then(undefined, () => undefined);
  }

  /** Redraws lenses and decorations soon. */
  redrawSoon(): void {
    if (this.redrawing) return;
    this.redrawing = true;
    this.later(() => {
      this.redrawing = false;
      this.setContexts();
      this.lensesChanged.fire();
      for (const review of this.options.reviews()) this.marks.render(review.realUri, () => review.hunks());
    }, REDRAW_INTERVAL_MS);
  }

  private setContexts(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.setContext("graft.proposalPending", this.options.reviews().length > 0);
    this.setContext("graft.inProposalDiff", proposalOf(tab)?.scheme === this.options.scheme);
  }

  private setContext(key: string, value: boolean): void {
    if (this.contexts.get(key) === value) return;
    this.contexts.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }

  private later(task: () => void, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      task();
    }, milliseconds);
    this.timers.add(timer);
  }
}
