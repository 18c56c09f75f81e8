import * as vscode from "vscode";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import { hunkDetails } from "../../edits/review/hunkDetails.ts";
import type { Side } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DecidedBy, LastDecision } from "../../review/proposals/fileReviewDeps.ts";
import type { WorkspaceProposals } from "../../review/proposals/workspaceProposals.ts";
import { type EditorReview, fileUriOf } from "../documents/editorReview.ts";
import { t } from "../localize.ts";
import { MixedLineEnds } from "../workspace/mixedLineEnds.ts";
import { DiffDecorations } from "./diffDecorations.ts";
import { DiffOpener } from "./diffOpener.ts";
import { DiffScroll, sees } from "./diffScroll.ts";
import {
  closeDiffsFrom,
  closeProposalTabs,
  editorsOf,
  isMultiDiff,
  multiDiffTabs,
  ownEditors,
  proposalIn,
  proposalTabs,
} from "./diffTabs.ts";
import { HunkDecorations } from "./hunkDecorations.ts";
import { fileLenses, type HunkMark, proposalLenses } from "./hunkLenses.ts";
import { type CursorIn, reviewOf } from "./reviewTargets.ts";
import { unfoldHunks } from "./unfoldHunks.ts";

/** Milliseconds between two redraws of lenses and decorations. */
const REDRAW_INTERVAL_MS = 33;

/**
 * What the user sees of the preview: diff tabs, lenses, decorations in the file's own editor,
 * context keys.
 */
export class DiffView implements Disposable {
  /** What is said over hunks; see {@link mark}. */
  private marked: readonly HunkMark[] = [];
  private readonly scheme: string;
  private readonly proposals: WorkspaceProposals<vscode.TextDocument>;
  private readonly titleOf: (chatId: string) => string;
  private readonly nothingLeft: (by: DecidedBy) => void;
  private readonly logger: Logger;
  private readonly owned = new DisposableStack();
  private readonly lensesChanged = this.owned.add(new vscode.EventEmitter<void>());
  private readonly marks = this.owned.add(new HunkDecorations());
  private readonly diffMarks = this.owned.add(new DiffDecorations());
  private readonly lineEnds = this.owned.add(new MixedLineEnds(() => this.lensesChanged.fire()));
  private readonly scroll = new DiffScroll();
  readonly diffs: DiffOpener;
  private readonly contexts = new Map<string, boolean>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private redrawing = false;

  /**
   * `titleOf` says what a chat is called. `nothingLeft` is called once the last review is over and
   * its diff closed, with where it was decided.
   */
  constructor(
    scheme: string,
    proposals: WorkspaceProposals<vscode.TextDocument>,
    titleOf: (chatId: string) => string,
    nothingLeft: (by: DecidedBy) => void,
    logger: Logger,
  ) {
    this.scheme = scheme;
    this.proposals = proposals;
    this.titleOf = titleOf;
    const reviews = () => proposals.reviews;
    this.nothingLeft = nothingLeft;
    this.logger = logger;
    this.diffs = this.owned.add(new DiffOpener(scheme, reviews, logger, this.scroll));
    const lenses: vscode.CodeLensProvider = {
      onDidChangeCodeLenses: this.lensesChanged.event,
      provideCodeLenses: (document) => this.lensesOf(document),
    };
    this.owned.add(
      vscode.Disposable.from(
        vscode.languages.registerCodeLensProvider({ pattern: "**" }, lenses),
        vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
          this.tabsChanged();
          this.closeOrphans(opened);
        }),
        vscode.window.tabGroups.onDidChangeTabGroups(() => this.tabsChanged()),
        unfoldHunks(reviews),
        vscode.window.onDidChangeVisibleTextEditors(() => this.redrawSoon()),
        vscode.window.onDidChangeActiveTextEditor(() => this.setContexts()),
        disposable(() => {
          for (const timer of this.timers) clearTimeout(timer);
          this.setContexts();
        }),
      ),
    );
  }

  /** Says something over these hunks, and over no others. */
  mark(marked: readonly HunkMark[]): void {
    this.marked = marked;
    this.redrawSoon();
  }

  /** The proposal grew, most recently at `offset`. */
  grew(review: EditorReview, offset: number): void {
    this.diffs.openOnce(review);
    this.scroll.follow(review.proposalUri, offset);
    this.redrawSoon();
  }

  /** The proposal is complete: shows its first hunk unless the user scrolled away. */
  complete(review: EditorReview): void {
    const first = review.hunks()[0];
    if (first) this.diffs.openOnce(review);
    this.redrawSoon();
    if (first && !this.diffs.visited.has(review))
      this.scroll.revealFirst(review.proposalUri, first);
  }

  /**
   * Brings the diff to the front with the cursor at a hunk, by default the first, and focuses it.
   */
  show(review: EditorReview, hunk?: Hunk): Promise<void> {
    this.diffs.visited.add(review);
    return this.diffs.open(review, false, hunk);
  }

  /** Shows all these diffs in one editor, and focuses the first. */
  showAll(reviews: readonly EditorReview[]): Promise<void> {
    return this.diffs.openAll(reviews);
  }

  /**
   * Moves to the next or previous file in the editor of all proposals; false when the user is
   * elsewhere. Older VS Codes cannot.
   */
  async stepInMultiDiff(direction: "next" | "previous"): Promise<boolean> {
    if (!this.inMultiDiff()) return false;
    const command =
      direction === "next"
        ? "multiDiffEditor.goToNextChange"
        : "multiDiffEditor.goToPreviousChange";
    return vscode.commands.executeCommand(command).then(
      () => true,
      () => false,
    );
  }

  /** Where the user is, or null when the active editor shows no file of a review. */
  place(): CursorIn<EditorReview> | null {
    const editor = vscode.window.activeTextEditor;
    const key = editor?.document.uri.toString();
    const shown = proposalIn(vscode.window.tabGroups.activeTabGroup.activeTab)?.toString();
    for (const review of this.proposals.reviews) {
      const proposal = review.proposalUri;
      const line = editor?.selection.active.line ?? -1;
      if (key === review.file.uri) return { review, side: "real", line, visited: true };
      if (key === proposal)
        return { review, side: "proposed", line, visited: this.diffs.visited.has(review) };
      if (shown === proposal) return { review, side: "proposed", line: -1, visited: false };
    }
    return null;
  }

  /** True when an editor shows a hunk's first line. */
  sees(review: EditorReview, hunk: Hunk): boolean {
    const shows = (editors: readonly vscode.TextEditor[], side: Side) =>
      editors.some((editor) => sees(editor, hunk[side].start));
    return (
      shows(editorsOf(review.proposalUri), "proposed") || shows(ownEditors(review.file.uri), "real")
    );
  }

  /**
   * Selects a hunk, in the active editor if it shows the file or the proposal, else in the diff.
   */
  async select(review: EditorReview, hunk: Hunk | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here = this.place();
    if (!hunk || !editor || here?.review !== review || here.line < 0)
      return this.show(review, hunk);
    this.diffs.visited.add(review);
    const start = Math.min(hunk[here.side].start, editor.document.lineCount - 1);
    editor.selection = new vscode.Selection(start, 0, start, 0);
    editor.revealRange(
      new vscode.Range(start, 0, start, 0),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  }

  /**
   * The file moved away from `from`: a diff that was opened is opened again, with the file's new
   * place.
   */
  async moved(review: EditorReview, from: string): Promise<void> {
    this.marks.render(from, () => []);
    this.redrawSoon();
    await this.diffs.opening(review);
    // VS Code closes a diff whose file goes away, before or after this.
    if (review.ended || this.diffs.closing || !this.diffs.opening(review)) return;
    await this.diffs.open(review, true);
    await closeDiffsFrom(from, review.proposalUri);
  }

  /**
   * The review ended: closes its diff and shows the file near the last decision in its place. After a command
   * in an editor the focus moves on to the first of `others` that can be decided, or to the chat
   * when none is left; not where the user moved the cursor meanwhile.
   */
  async ended(
    review: EditorReview,
    last: LastDecision,
    others: readonly EditorReview[],
  ): Promise<void> {
    this.marks.render(review.file.uri, () => []);
    this.diffMarks.render(review);
    this.redrawSoon();
    const { gestures } = this.diffs;
    try {
      // A diff that is still opening would stay open without its proposal.
      await this.diffs.opening(review);
      await review.proposal.finish();
      const key = review.proposalUri;
      const isThis = (uri: vscode.Uri) => uri.toString() === key;
      const front = proposalTabs(isThis).find((tab) => tab.isActive);
      const { opened } = this.diffs;
      if (front && review.fileExists && !this.diffs.closing && !this.diffs.isOpening)
        await this.diffs.showFile(review, front.group.viewColumn, last);
      // The user may have typed meanwhile, and VS Code asks before it closes unsaved text.
      await review.proposal.finish();
      // Looked up again: VS Code may have replaced its tab objects meanwhile, and does not close by
      // an old one.
      await closeProposalTabs(isThis);
      // A diff that opened while the file was shown would stay hidden behind it.
      const { last: latest } = this.diffs;
      if (latest && !latest.ended && this.diffs.opened !== opened)
        await this.diffs.open(latest, true);
    } catch (error) {
      this.logger.warn(`Closing the preview of ${review.path} failed: ${String(error)}`);
    }
    const isDecided = last.by !== "elsewhere";
    const { decidingMany } = this.proposals;
    if (this.diffs.closing || !isDecided || (last.by !== "command" && decidingMany)) return;
    // What comes next is known once all are decided.
    await decidingMany?.catch(() => undefined);
    const wentAlone = this.diffs.gestures !== gestures;
    await this.goOn(wentAlone ? "panel" : last.by, others);
  }

  dispose(): void {
    this.owned.dispose();
  }

  private inMultiDiff(): boolean {
    return isMultiDiff(vscode.window.tabGroups.activeTabGroup.activeTab, this.scheme);
  }

  private async goOn(by: DecidedBy, others: readonly EditorReview[]): Promise<void> {
    const pending = others.filter((other) => !other.ended);
    const decidable = pending.filter((other) => !other.streaming && other.hunks().length > 0);
    const isInMultiDiff = this.inMultiDiff();
    const next = decidable[0];
    if (pending.length === 0) {
      await vscode.window.tabGroups.close(multiDiffTabs(this.scheme), true);
      this.nothingLeft(by);
    } else if (by !== "command") {
      for (const unseen of decidable) this.diffs.openOnce(unseen);
    } else if (next) await (isInMultiDiff ? this.showAll(decidable) : this.show(next));
  }

  private lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
    const key = document.uri.toString();
    for (const review of this.proposals.reviews) {
      const { titleOf } = this;
      const marked = this.marked.filter(({ proposal }) => proposal === review.proposalUri);
      const around = { titleOf, marked };
      const lineEnds = () => (review.fileExists ? this.lineEnds.next(fileUriOf(review)) : null);
      if (key === review.proposalUri)
        return review.ended ? [] : proposalLenses(review, document.lineCount, lineEnds(), around);
      // The left side of the diff shows the same document, and lenses there would repeat the right
      // side's.
      if (key === review.file.uri)
        return review.ended || ownEditors(review.file.uri).length === 0
          ? []
          : fileLenses(review, document.lineCount, lineEnds(), around);
    }
    return [];
  }

  private tabsChanged(): void {
    this.setContexts();
    this.redrawSoon();
  }

  /** Closes the diffs of reviews that ended while their tabs were opening. */
  private closeOrphans(opened: readonly vscode.Tab[]): void {
    const orphans = opened.filter((tab) => {
      const proposal = proposalIn(tab);
      return proposal?.scheme === this.scheme && !reviewOf(this.proposals.reviews, proposal);
    });
    if (orphans.length > 0)
      void vscode.window.tabGroups.close(orphans, true).then(undefined, () => undefined);
  }

  /** Redraws lenses and decorations soon. */
  redrawSoon(): void {
    if (this.redrawing || this.proposals.decidingMany) return;
    this.redrawing = true;
    this.later(() => {
      this.redrawing = false;
      this.setContexts();
      this.lensesChanged.fire();
      for (const review of this.proposals.reviews) {
        const hunks = () => review.hunks();
        this.marks.render(review.file.uri, hunks, () => hunkDetails(review));
        if (!review.fileExists) this.marks.renderNew(review.proposalUri);
        this.diffMarks.render(review);
      }
    }, REDRAW_INTERVAL_MS);
  }

  /** Says `message`, and opens the proposed text, which no file has, where the user wants it. */
  async offerText(review: EditorReview, message: string): Promise<void> {
    const chosen = await vscode.window.showWarningMessage(message, t("Open Proposed Text"));
    if (!chosen) return;
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({
        content: review.proposal.text,
        language: "plaintext",
      }),
    );
  }

  private setContexts(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.setContext("graft.proposalPending", this.proposals.reviews.length > 0);
    this.setContext("graft.inProposalDiff", proposalIn(tab)?.scheme === this.scheme);
    this.setContext("graft.inAllProposals", this.inMultiDiff());
    this.setContext("graft.inPendingFile", this.place() !== null);
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
