import * as vscode from "vscode";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import type { Side } from "../../edits/review/hunkLocations.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { Logger } from "../../ports/logger.ts";
import { t } from "../localize.ts";
import { DiffDecorations } from "./diffDecorations.ts";
import { DiffScroll, sees } from "./diffScroll.ts";
import {
  closeProposalTabs,
  editorsOf,
  isMultiDiff,
  LARGE_TEXT,
  multiDiffTabs,
  openDiff,
  openMultiDiff,
  ownEditors,
  proposalOf,
  proposalTabs,
} from "./diffTabs.ts";
import type { FileReview } from "./fileReview.ts";
import type { LastDecision } from "./fileReviewDeps.ts";
import { HunkDecorations } from "./hunkDecorations.ts";
import { hunkDetails } from "./hunkDetails.ts";
import { fileLenses, type HunkMark, proposalLenses } from "./hunkLenses.ts";
import { diffTitle } from "./messages.ts";
import { MixedLineEnds } from "./mixedLineEnds.ts";
import type { Place } from "./reviewTargets.ts";
import { unfoldHunks } from "./unfoldHunks.ts";
import { isByHand } from "./watchFiles.ts";

/** Milliseconds between two redraws of lenses and decorations. */
const REDRAW_INTERVAL_MS = 33;

/**
 * Milliseconds without a keystroke or click in an editor after which another document may come to
 * the front.
 */
const QUIET_MS = 1500;

export interface PreviewWindowOptions {
  readonly scheme: string;
  reviews(): readonly FileReview[];
  /**
   * Offers inline diffs when it is time to; called after a review, so that the offer covers no
   * diff.
   */
  offerInline(): void;
  /** Nothing is left to review: moves the focus on to the chat. */
  focusComposer(): void;
  readonly logger: Logger;
}

/**
 * What the user sees of the preview: diff tabs, lenses, decorations in the file's own editor,
 * context keys.
 */
export class PreviewWindow implements Disposable {
  /** Set when the window closes; then nothing is brought to the front. */
  closing = false;
  /** What is said over hunks; see {@link mark}. */
  private marked: readonly HunkMark[] = [];
  /**
   * Settles once many files are decided: until then none of them opens the next one, and nothing is
   * drawn in between.
   */
  private deciding: Promise<void> | null = null;
  private readonly options: PreviewWindowOptions;
  private readonly owned = new DisposableStack();
  private readonly lensesChanged = this.owned.add(new vscode.EventEmitter<void>());
  private readonly marks = this.owned.add(new HunkDecorations());
  private readonly diffMarks = this.owned.add(new DiffDecorations());
  private readonly lineEnds = this.owned.add(new MixedLineEnds(() => this.lensesChanged.fire()));
  private readonly emptyScheme: string;
  /** Diffs that are opening now, how many have been opened, and the last one. */
  private readonly diffs: { opening: number; opened: number; last: FileReview | null } = {
    opening: 0,
    opened: 0,
    last: null,
  };
  /** The turn that proposes, and what of it has opened by itself. */
  private offered: { readonly turnId: string; readonly review: FileReview | null } = {
    turnId: "",
    review: null,
  };
  /**
   * The latest opening of each review's diff, pending or done; the user may have closed it since.
   */
  private readonly openings = new WeakMap<FileReview, Promise<void>>();
  /**
   * Reviews in whose diff the user moved the cursor; in others a step begins at the first or last
   * hunk.
   */
  private readonly visited = new WeakSet<FileReview>();
  private readonly scroll = new DiffScroll();
  /** When the user last moved the cursor in the active editor. */
  private lastGesture = Number.NEGATIVE_INFINITY;
  /** Reviews whose diff opens when the user pauses typing. */
  private readonly waiting = new Set<FileReview>();
  private readonly contexts = new Map<string, boolean>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  private redrawing = false;

  constructor(options: PreviewWindowOptions) {
    this.options = options;
    const { scheme } = options;
    this.emptyScheme = `${scheme}-empty`;
    const lenses: vscode.CodeLensProvider = {
      onDidChangeCodeLenses: this.lensesChanged.event,
      provideCodeLenses: (document) => this.lensesOf(document),
    };
    this.owned.add(
      vscode.Disposable.from(
        vscode.workspace.registerTextDocumentContentProvider(this.emptyScheme, {
          provideTextDocumentContent: () => "",
        }),
        vscode.languages.registerCodeLensProvider({ pattern: "**" }, lenses),
        vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
          this.tabsChanged();
          this.closeOrphans(opened);
        }),
        vscode.window.tabGroups.onDidChangeTabGroups(() => this.tabsChanged()),
        unfoldHunks(() => options.reviews()),
        vscode.window.onDidChangeTextEditorSelection((event) => {
          if (!isByHand(event)) return;
          if (event.textEditor === vscode.window.activeTextEditor) this.lastGesture = Date.now();
          const review = this.reviewOf(event.textEditor.document.uri);
          if (review) this.visited.add(review);
        }),
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

  /** A turn proposes: one of its diffs opens by itself, and the next when that is decided. */
  began(turnId: string): void {
    if (turnId !== this.offered.turnId) this.offered = { turnId, review: null };
  }

  /** The proposal grew, most recently at `offset`. */
  grew(review: FileReview, offset: number): void {
    this.openOnce(review);
    this.scroll.follow(review.proposalUri, offset);
    this.redrawSoon();
  }

  /** The proposal is complete: shows its first hunk unless the user scrolled away. */
  complete(review: FileReview): void {
    const first = review.hunks()[0];
    if (first) this.openOnce(review);
    this.redrawSoon();
    if (first && !this.visited.has(review)) this.scroll.revealFirst(review.proposalUri, first);
  }

  /**
   * Brings the diff to the front with the cursor at a hunk, by default the first, and focuses it.
   */
  show(review: FileReview, hunk?: Hunk): Promise<void> {
    this.visited.add(review);
    return this.open(review, false, hunk);
  }

  /** Shows all these diffs in one editor, and focuses the first. */
  async showAll(reviews: readonly FileReview[]): Promise<void> {
    const files = reviews.map((review) => ({
      real: review.realUri,
      original: this.original(review),
      proposal: review.proposalUri,
    }));
    const opening = openMultiDiff(t("Proposed changes"), files, this.options.scheme).catch(
      (error: unknown) =>
        this.options.logger.error(`Opening all proposals failed: ${String(error)}`),
    );
    for (const review of reviews) {
      this.openings.set(review, opening);
      // VS Code moves the cursor there.
      this.visited.add(review);
    }
    await opening;
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
  place(): Place<FileReview> | null {
    const editor = vscode.window.activeTextEditor;
    const key = editor?.document.uri.toString();
    const shown = proposalOf(vscode.window.tabGroups.activeTabGroup.activeTab)?.toString();
    for (const review of this.options.reviews()) {
      const proposal = review.proposalUri.toString();
      const line = editor?.selection.active.line ?? -1;
      if (key === review.realUri.toString()) return { review, side: "real", line, visited: true };
      if (key === proposal)
        return { review, side: "proposed", line, visited: this.visited.has(review) };
      if (shown === proposal) return { review, side: "proposed", line: -1, visited: false };
    }
    return null;
  }

  /** True when an editor shows a hunk's first line. */
  sees(review: FileReview, hunk: Hunk): boolean {
    const shows = (editors: readonly vscode.TextEditor[], side: Side) =>
      editors.some((editor) => sees(editor, hunk[side].start));
    return (
      shows(editorsOf(review.proposalUri), "proposed") || shows(ownEditors(review.realUri), "real")
    );
  }

  /**
   * Selects a hunk, in the active editor if it shows the file or the proposal, else in the diff.
   */
  async select(review: FileReview, hunk: Hunk | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here = this.place();
    if (!hunk || !editor || here?.review !== review || here.line < 0)
      return this.show(review, hunk);
    this.visited.add(review);
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
  async moved(review: FileReview, from: vscode.Uri): Promise<void> {
    this.marks.render(from, () => []);
    this.redrawSoon();
    await this.openings.get(review);
    // VS Code closes a diff whose file goes away, before or after this.
    if (review.ended || this.closing || !this.openings.has(review)) return;
    await this.open(review, true);
    const stale = proposalTabs((uri) => uri.toString() === review.proposalUri.toString()).filter(
      ({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.original.toString() === from.toString(),
    );
    await vscode.window.tabGroups.close(stale, true);
  }

  /**
   * The review ended: closes its diff and shows the file near the last decision in its place. After a command
   * in an editor the focus moves on to the first of `others` that can be decided, or to the chat
   * when none is left.
   */
  async ended(
    review: FileReview,
    last: LastDecision,
    others: readonly FileReview[],
  ): Promise<void> {
    this.marks.render(review.realUri, () => []);
    this.diffMarks.render(review);
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
        await this.showFile(review, front.group.viewColumn, last);
      // The user may have typed meanwhile, and VS Code asks before it closes unsaved text.
      await review.proposal.finish();
      // Looked up again: VS Code may have replaced its tab objects meanwhile, and does not close by
      // an old one.
      await closeProposalTabs(isThis);
      // A diff that opened while the file was shown would stay hidden behind it.
      const { last: latest } = this.diffs;
      if (latest && !latest.ended && this.diffs.opened !== opened) await this.open(latest, true);
    } catch (error) {
      this.options.logger.warn(`Closing the preview of ${review.path} failed: ${String(error)}`);
    }
    const isDecided = last.by !== "elsewhere";
    if (this.closing || !isDecided || (last.by !== "command" && this.staysPut)) return;
    // What comes next is known once all are decided.
    await this.deciding?.catch(() => undefined);
    await this.goOn(last, others);
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** True while many files are decided. */
  get staysPut(): boolean {
    return this.deciding !== null;
  }

  /** Runs `decide`, which decides many files. */
  async decideMany(decide: () => Promise<void>): Promise<void> {
    const deciding = Promise.resolve().then(decide);
    this.deciding = deciding;
    try {
      await deciding;
    } finally {
      if (this.deciding === deciding) this.deciding = null;
    }
  }

  private inMultiDiff(): boolean {
    return isMultiDiff(vscode.window.tabGroups.activeTabGroup.activeTab, this.options.scheme);
  }

  private async goOn({ by }: LastDecision, others: readonly FileReview[]): Promise<void> {
    const { scheme } = this.options;
    const pending = others.filter((other) => !other.ended);
    const decidable = pending.filter((other) => !other.streaming && other.hunks().length > 0);
    const isInMultiDiff = this.inMultiDiff();
    if (pending.length === 0) {
      await vscode.window.tabGroups.close(multiDiffTabs(scheme), true);
      this.options.offerInline();
    }
    const next = decidable[0];
    if (by !== "command") {
      for (const unseen of decidable) this.openOnce(unseen);
    } else if (next) {
      await (isInMultiDiff ? this.showAll(decidable) : this.show(next));
    } else if (pending.length === 0) {
      this.options.focusComposer();
    }
  }

  private async showFile(
    review: FileReview,
    viewColumn: vscode.ViewColumn,
    { by, line }: LastDecision,
  ): Promise<void> {
    const options: vscode.TextDocumentShowOptions = {
      viewColumn,
      preserveFocus: by === "panel" || by === "elsewhere",
    };
    if (line !== null) options.selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument(review.realUri),
      options,
    );
  }

  /**
   * Opens a diff that never was open, behind the focus, when the user pauses and decides on no
   * other.
   */
  private openOnce(review: FileReview): void {
    const { review: first } = this.offered;
    if (this.openings.has(review) || review.ended || this.closing || (first && !first.ended))
      return;
    const shown = this.reviewOf(proposalOf(vscode.window.tabGroups.activeTabGroup.activeTab));
    if (shown && !shown.streaming) return;
    const busy = this.lastGesture + QUIET_MS - Date.now();
    if (busy > 0) {
      if (this.waiting.has(review)) return;
      this.waiting.add(review);
      this.later(() => {
        this.waiting.delete(review);
        this.openOnce(review);
      }, busy);
      return;
    }
    this.offered = { ...this.offered, review };
    void this.open(review, true);
  }

  private open(review: FileReview, preserveFocus: boolean, hunk?: Hunk): Promise<void> {
    const opening = this.openTab(review, preserveFocus, hunk);
    this.openings.set(review, opening);
    return opening;
  }

  private async openTab(review: FileReview, preserveFocus: boolean, hunk?: Hunk): Promise<void> {
    this.diffs.opening++;
    this.diffs.opened++;
    this.diffs.last = review;
    const { streaming } = review;
    // Said each time: VS Code would return to where a closed diff was scrolled to, or stay at the
    // top of one that is still compared.
    const line = streaming ? null : ((hunk ?? review.hunks()[0])?.proposed.start ?? null);
    const paths = this.options.reviews().map(({ path }) => path);
    const opensItself = preserveFocus && review.fileExists && review.realText.length >= LARGE_TEXT;
    try {
      if (opensItself)
        return await this.showFile(review, vscode.ViewColumn.Active, {
          by: "panel",
          line: review.hunks()[0]?.real.start ?? null,
        });
      await openDiff(review.fileExists ? review.realUri : null, review.proposalUri, {
        title: diffTitle(t, review.path, paths),
        line,
        preserveFocus,
      });
      const first = review.hunks()[0];
      if (streaming && !review.streaming && first && !this.visited.has(review))
        this.scroll.revealFirst(review.proposalUri, first);
    } catch (error) {
      this.options.logger.error(`Opening the preview of ${review.path} failed: ${String(error)}`);
    } finally {
      this.diffs.opening--;
    }
  }

  /** The left side of a diff: the file, or nothing for a new one. */
  private original(review: FileReview): vscode.Uri {
    return review.fileExists
      ? review.realUri
      : vscode.Uri.from({ scheme: this.emptyScheme, path: `/${review.path}` });
  }

  private lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
    const key = document.uri.toString();
    for (const review of this.options.reviews()) {
      const marks = this.marked.filter(
        ({ proposal }) => proposal === review.proposalUri.toString(),
      );
      const lineEnds = () => (review.fileExists ? this.lineEnds.next(review.realUri) : null);
      if (key === review.proposalUri.toString())
        return review.ended ? [] : proposalLenses(review, document.lineCount, lineEnds(), marks);
      // The left side of the diff shows the same document, and lenses there would repeat the right
      // side's.
      if (key === review.realUri.toString())
        return review.ended || ownEditors(review.realUri).length === 0
          ? []
          : fileLenses(review, document.lineCount, lineEnds(), marks);
    }
    return [];
  }

  private reviewOf(proposal: vscode.Uri | null): FileReview | undefined {
    const key = proposal?.toString();
    return this.options.reviews().find(({ proposalUri }) => proposalUri.toString() === key);
  }

  private tabsChanged(): void {
    this.setContexts();
    this.redrawSoon();
  }

  /** Closes the diffs of reviews that ended while their tabs were opening. */
  private closeOrphans(opened: readonly vscode.Tab[]): void {
    const orphans = opened.filter((tab) => {
      const proposal = proposalOf(tab);
      return proposal?.scheme === this.options.scheme && !this.reviewOf(proposal);
    });
    if (orphans.length > 0)
      void vscode.window.tabGroups.close(orphans, true).then(undefined, () => undefined);
  }

  /** Redraws lenses and decorations soon. */
  redrawSoon(): void {
    if (this.redrawing || this.staysPut) return;
    this.redrawing = true;
    this.later(() => {
      this.redrawing = false;
      this.setContexts();
      this.lensesChanged.fire();
      for (const review of this.options.reviews()) {
        const hunks = () => review.hunks();
        this.marks.render(review.realUri, hunks, () => hunkDetails(review));
        if (!review.fileExists) this.marks.renderNew(review.proposalUri);
        this.diffMarks.render(review);
      }
    }, REDRAW_INTERVAL_MS);
  }

  private setContexts(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.setContext("graft.proposalPending", this.options.reviews().length > 0);
    this.setContext("graft.inProposalDiff", proposalOf(tab)?.scheme === this.options.scheme);
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
