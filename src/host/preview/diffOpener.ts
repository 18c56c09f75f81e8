import * as vscode from "vscode";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import type { Hunk } from "../../edits/review/reviewPlan.ts";
import type { Logger } from "../../ports/logger.ts";
import type { LastDecision } from "../../review/proposals/fileReviewDeps.ts";
import { type EditorReview, fileUriOf, proposalUriOf } from "../documents/editorReview.ts";
import { shownUriPath } from "../documents/proposalLanguage.ts";
import { t } from "../localize.ts";
import type { DiffScroll } from "./diffScroll.ts";
import { LARGE_TEXT, openDiff, openMultiDiff, proposalIn } from "./diffTabs.ts";
import { diffTitle } from "./messages.ts";
import { reviewOf } from "./reviewTargets.ts";
import { isByHand } from "./watchFiles.ts";

/**
 * Milliseconds without a keystroke or click in an editor after which another document may come to
 * the front.
 */
const QUIET_MS = 1500;

/** Opens the diffs of reviews: one by itself while a turn proposes, and those the user asks for. */
export class DiffOpener implements Disposable {
  /** Set when the window closes; then nothing is brought to the front. */
  closing = false;
  /** How many diffs have been opened, and the last one. */
  opened = 0;
  last: EditorReview | null = null;
  /**
   * Reviews in whose diff the user moved the cursor; in others a step begins at the first or last
   * hunk.
   */
  readonly visited = new WeakSet<EditorReview>();
  private readonly scheme: string;
  private readonly emptyScheme: string;
  private readonly reviews: () => readonly EditorReview[];
  private readonly logger: Logger;
  private readonly scroll: DiffScroll;
  private readonly owned = new DisposableStack();
  /** How many diffs are opening now. */
  private underWay = 0;
  /** The turn that proposes, and what of it has opened by itself. */
  private offered: { readonly turnId: string; readonly review: EditorReview | null } = {
    turnId: "",
    review: null,
  };
  /**
   * The latest opening of each review's diff, pending or done; the user may have closed it since.
   */
  private readonly openings = new WeakMap<EditorReview, Promise<void>>();
  /** How often the user has moved the cursor in the active editor, and when last. */
  gestures = 0;
  private lastGesture = Number.NEGATIVE_INFINITY;
  /** Reviews whose diff opens when the user pauses typing. */
  private readonly waiting = new Map<EditorReview, ReturnType<typeof setTimeout>>();

  constructor(
    scheme: string,
    reviews: () => readonly EditorReview[],
    logger: Logger,
    scroll: DiffScroll,
  ) {
    this.scheme = scheme;
    this.emptyScheme = `${scheme}-empty`;
    this.reviews = reviews;
    this.logger = logger;
    this.scroll = scroll;
    const { window, workspace } = vscode;
    this.owned.add(
      vscode.Disposable.from(
        workspace.registerTextDocumentContentProvider(this.emptyScheme, {
          provideTextDocumentContent: () => "",
        }),
        window.onDidChangeTextEditorSelection((event) => {
          if (!isByHand(event)) return;
          if (event.textEditor === window.activeTextEditor) {
            this.gestures++;
            this.lastGesture = Date.now();
          }
          const review = reviewOf(reviews(), event.textEditor.document.uri);
          if (review) this.visited.add(review);
        }),
        disposable(() => {
          for (const timer of this.waiting.values()) clearTimeout(timer);
        }),
      ),
    );
  }

  /** True while a diff is opening. */
  get isOpening(): boolean {
    return this.underWay > 0;
  }

  /** The latest opening of a review's diff, pending or done; undefined for one that never was open. */
  opening(review: EditorReview): Promise<void> | undefined {
    return this.openings.get(review);
  }

  /** A turn proposes: one of its diffs opens by itself, and the next when that is decided. */
  began(turnId: string): void {
    if (turnId !== this.offered.turnId) this.offered = { turnId, review: null };
  }

  /**
   * Opens a diff that never was open, behind the focus, when the user pauses and decides on no
   * other.
   */
  openOnce(review: EditorReview): void {
    const { review: first } = this.offered;
    if (this.openings.has(review) || review.ended || this.closing || (first && !first.ended))
      return;
    const shown = proposalIn(vscode.window.tabGroups.activeTabGroup.activeTab);
    const front = reviewOf(this.reviews(), shown);
    if (front && !front.streaming) return;
    const busy = this.lastGesture + QUIET_MS - Date.now();
    if (busy > 0) {
      if (this.waiting.has(review)) return;
      const again = () => {
        this.waiting.delete(review);
        this.openOnce(review);
      };
      this.waiting.set(review, setTimeout(again, busy));
      return;
    }
    this.offered = { ...this.offered, review };
    void this.open(review, true);
  }

  /** Opens a diff with the cursor at a hunk, by default the first. */
  open(review: EditorReview, preserveFocus: boolean, hunk?: Hunk): Promise<void> {
    const opening = this.openTab(review, preserveFocus, hunk);
    this.openings.set(review, opening);
    return opening;
  }

  /** Opens all these diffs in one editor, and focuses the first. */
  async openAll(reviews: readonly EditorReview[]): Promise<void> {
    const files = reviews.map((review) => ({
      real: fileUriOf(review),
      original: this.original(review),
      proposal: proposalUriOf(review),
    }));
    const opening = openMultiDiff(t("Proposed changes"), files, this.scheme).catch(
      (error: unknown) => this.logger.error(`Opening all proposals failed: ${String(error)}`),
    );
    for (const review of reviews) {
      this.openings.set(review, opening);
      // VS Code moves the cursor there.
      this.visited.add(review);
    }
    await opening;
  }

  /** Shows a review's file where the last decision was made. */
  async showFile(
    review: EditorReview,
    viewColumn: vscode.ViewColumn,
    { by, line }: LastDecision,
  ): Promise<void> {
    const options: vscode.TextDocumentShowOptions = {
      viewColumn,
      preserveFocus: by === "panel" || by === "elsewhere",
    };
    if (line !== null) options.selection = new vscode.Range(line, 0, line, 0);
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument(fileUriOf(review)),
      options,
    );
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async openTab(review: EditorReview, preserveFocus: boolean, hunk?: Hunk): Promise<void> {
    this.underWay++;
    this.opened++;
    this.last = review;
    const { streaming } = review;
    // Said each time: VS Code would return to where a closed diff was scrolled to, or stay at the
    // top of one that is still compared.
    const line = streaming ? null : ((hunk ?? review.hunks()[0])?.proposed.start ?? null);
    const paths = this.reviews().map(({ path }) => path);
    const opensItself = preserveFocus && review.fileExists && review.realText.length >= LARGE_TEXT;
    try {
      if (opensItself)
        return await this.showFile(review, vscode.ViewColumn.Active, {
          by: "panel",
          line: review.hunks()[0]?.real.start ?? null,
        });
      await openDiff(review.fileExists ? fileUriOf(review) : null, proposalUriOf(review), {
        title: diffTitle(t, review.path, paths),
        line,
        preserveFocus,
      });
      const first = review.hunks()[0];
      if (streaming && !review.streaming && first && !this.visited.has(review))
        this.scroll.revealFirst(review.proposalUri, first);
    } catch (error) {
      this.logger.error(`Opening the preview of ${review.path} failed: ${String(error)}`);
    } finally {
      this.underWay--;
    }
  }

  /** The left side of a diff: the file, or nothing for a new one. */
  private original(review: EditorReview): vscode.Uri {
    return review.fileExists
      ? fileUriOf(review)
      : // VS Code calls a file with another path renamed.
        vscode.Uri.from({ scheme: this.emptyScheme, path: shownUriPath(fileUriOf(review)) });
  }
}
