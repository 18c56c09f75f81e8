import * as vscode from "vscode";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import type { Logger } from "../../ports/logger.ts";
import { closeProposalTabs, openDiff, ownEditors, proposalEditors, proposalOf, proposalTabs } from "./diffTab.ts";
import type { FileReview } from "./fileReview.ts";
import { fileLenses, proposalLenses } from "./hunkLenses.ts";
import { linesOf, neighbour } from "./hunkPlaces.ts";
import type { InlineOffer } from "./inlineOffer.ts";
import { PendingMarks } from "./pendingMarks.ts";
import { TypingWatch } from "./typingWatch.ts";

/** Milliseconds between two redraws of lenses and marks. */
const REDRAW_INTERVAL_MS = 33;
/** Milliseconds within which a comparison that was closed counts as closed by the editor, because its file was renamed or moved. */
const CLOSED_WITH_FILE_MS = 2_000;
/** Lines kept in sight below the place where the answer is being written. */
const FOLLOW_MARGIN = 4;

/** A first hunk within this many lines is shown together with the top of the file. */
const TOP_LINES = 15;

function sees(editor: vscode.TextEditor, line: number): boolean {
  return editor.visibleRanges.some(({ start, end }) => line >= start.line && line <= end.line);
}

/** What the window part of the preview needs. */
export interface PreviewWindowOptions {
  readonly scheme: string;
  reviews(): readonly FileReview[];
  readonly offer: InlineOffer;
  readonly logger: Logger;
}

/** Everything of the preview that is seen: diff tabs, lenses, marks in the file's own editor, context keys. */
export class PreviewWindow implements Disposable {
  /** Set when the window goes down: then nothing is brought to the front any more. */
  closing = false;
  private readonly options: PreviewWindowOptions;
  private readonly owned = new DisposableStack();
  private readonly lensesChanged = this.owned.add(new vscode.EventEmitter<void>());
  private readonly marks = this.owned.add(new PendingMarks());
  private readonly typing = this.owned.add(new TypingWatch());
  private readonly emptyScheme: string;
  /** Reviews whose diff has been opened once; the user may have closed it since. */
  private readonly opened = new WeakSet<FileReview>();
  /** The latest opening of each review's diff, under way or done. */
  private readonly openings = new WeakMap<FileReview, Promise<void>>();
  /** Reviews whose diff the user has moved about in: until then a step begins at its first or last hunk. */
  private readonly visited = new WeakSet<FileReview>();
  /** When each review's diff was closed last. */
  private readonly closedAt = new WeakMap<FileReview, number>();
  /** 0-based line where each streaming proposal was written last. */
  private readonly written = new WeakMap<FileReview, number>();
  /** Reviews whose diff waits until the user pauses typing. */
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
    this.owned.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.tabsChanged(closed)));
    this.owned.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.tabsChanged()));
    this.owned.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        if (kind !== vscode.TextEditorSelectionChangeKind.Keyboard && kind !== vscode.TextEditorSelectionChangeKind.Mouse) return;
        const key = textEditor.document.uri.toString();
        const review = options.reviews().find(({ proposalUri }) => proposalUri.toString() === key);
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

  /** The proposal grew, at `offset` at last. */
  grew(review: FileReview, offset: number): void {
    this.openOnce(review);
    this.follow(review, offset);
    this.redrawSoon();
  }

  /** The proposal is complete: shows its first hunk, unless the user has scrolled elsewhere. */
  complete(review: FileReview): void {
    const first = review.hunks()[0];
    if (first) this.openOnce(review);
    this.redrawSoon();
    const written = this.written.get(review);
    for (const editor of first && written !== undefined ? proposalEditors(review.proposalUri) : []) {
      if (!sees(editor, written ?? 0)) continue;
      // With the file's lenses above the first line where both fit.
      const start = (first?.proposed.start ?? 0) < TOP_LINES ? 0 : (first?.proposed.start ?? 0);
      editor.revealRange(new vscode.Range(start, 0, start, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** Something that is drawn changed. */
  changed(): void {
    this.redrawSoon();
  }

  /** Brings the diff to the front and the focus into it. */
  async show(review: FileReview): Promise<void> {
    await this.open(review, false);
  }

  /** Selects the next or previous hunk, in the active editor where that shows the file or the proposal, else in the diff. */
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
    const hunk = neighbour(review.hunks(), side, line, direction);
    if (!hunk) return;
    const start = Math.min(linesOf(hunk, side).start, editor.document.lineCount - 1);
    editor.selection = new vscode.Selection(start, 0, start, 0);
    editor.revealRange(new vscode.Range(start, 0, start, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  }

  /** The file, which was at `from`, has another name: the diff compares with the file where it is now. */
  async moved(review: FileReview, from: vscode.Uri): Promise<void> {
    this.marks.render(from, () => []);
    this.redrawSoon();
    await this.openings.get(review);
    const key = review.proposalUri.toString();
    const isShown = proposalTabs((uri) => uri.toString() === key).length > 0;
    // The editor closes a comparison with a file that goes away, before or after this.
    const wasShown = Date.now() - (this.closedAt.get(review) ?? 0) < CLOSED_WITH_FILE_MS;
    if (review.ended || this.closing || !(isShown || wasShown)) return;
    await this.open(review, true);
    const stale = proposalTabs((uri) => uri.toString() === key).filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.original.toString() === from.toString(),
    );
    await vscode.window.tabGroups.close(stale, true);
  }

  /** The review is over: closes its diff and shows the file in its place near `line`. */
  async ended(review: FileReview, line: number | null): Promise<void> {
    this.marks.render(review.realUri, () => []);
    this.redrawSoon();
    try {
      // A diff that is still being opened would stay behind without its proposal.
      await this.openings.get(review);
      await review.proposal.finish();
      const key = review.proposalUri.toString();
      const isThis = (uri: vscode.Uri) => uri.toString() === key;
      const front = proposalTabs(isThis).find((tab) => tab.isActive);
      if (front && review.fileExists && !this.closing) await this.showFile(review, front.group.viewColumn, line);
      // Showing the file took its time, and a document with unsaved text cannot be closed without a question.
      await review.proposal.finish();
      // Looked up again: the editor may have made new objects of its tabs meanwhile, and closes none by an old one.
      await closeProposalTabs(isThis);
    } catch (error) {
      this.options.logger.warn(`The preview of ${review.path} could not be closed: ${String(error)}`);
    }
    const next = this.options.reviews().find((other) => !other.streaming && !this.opened.has(other));
    // The focus that was in the diff would be lost where another one comes in its place without it.
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
    const shown = proposalOf(vscode.window.tabGroups.activeTabGroup.activeTab)?.toString();
    const deciding = this.options.reviews().some((other) => !other.streaming && other.proposalUri.toString() === shown);
    if (deciding) return;
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
    this.options.offer.consider();
  }

  private open(review: FileReview, preserveFocus: boolean): Promise<void> {
    this.opened.add(review);
    const opening = this.openTab(review, preserveFocus);
    this.openings.set(review, opening);
    return opening;
  }

  private async openTab(review: FileReview, preserveFocus: boolean): Promise<void> {
    const left = review.fileExists ? review.realUri : vscode.Uri.from({ scheme: this.emptyScheme, path: `/${review.path}` });
    try {
      await openDiff(left, review.proposalUri, review.path, preserveFocus);
      await this.setLanguage(review);
    } catch (error) {
      this.options.logger.error(`The preview of ${review.path} could not be opened: ${String(error)}`);
    }
  }

  /** The user may have chosen another language for the real file than its name tells. */
  private async setLanguage(review: FileReview): Promise<void> {
    const { languageId } = review.snapshot;
    const document = proposalEditors(review.proposalUri)[0]?.document;
    if (!document || languageId === "" || document.languageId === languageId || review.ended) return;
    await vscode.languages.setTextDocumentLanguage(document, languageId);
  }

  /** Scrolls along with the answer for as long as the user has not scrolled away from it. */
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
      const state = { uri: key, streaming: review.streaming, behind: review.isBehind, hunks: () => review.hunks() };
      if (key === review.proposalUri.toString()) return review.ended ? [] : proposalLenses(state, document.lineCount);
      // The real side of the diff shows the same document: lenses there would say everything twice.
      if (key === review.realUri.toString()) return review.ended || ownEditors(review.realUri).length === 0 ? [] : fileLenses(state);
    }
    return [];
  }

  private tabsChanged(closed: readonly vscode.Tab[] = []): void {
    for (const tab of closed) {
      const key = proposalOf(tab)?.toString();
      const review = this.options.reviews().find(({ proposalUri }) => proposalUri.toString() === key);
      if (review) this.closedAt.set(review, Date.now());
    }
    this.setContexts();
    this.redrawSoon();
  }

  private redrawSoon(): void {
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
