import * as vscode from "vscode";
import { counted } from "../../base/counted.ts";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import type { Hunk } from "../../edits/reviewPlan.ts";
import { ReviewState } from "../../edits/reviewState.ts";
import type { Logger } from "../../ports/logger.ts";
import type { AppliedChange, Review, Reviewer } from "../../ports/review.ts";
import type { FileSnapshot, Workspace } from "../../ports/workspace.ts";
import { steersEditor } from "../../tools/steersEditor.ts";
import { WorkspaceEditApplier } from "../workspaceEditApplier.ts";
import { spelledPath } from "../workspacePath.ts";
import { proposalOf } from "./diffTab.ts";
import { FileReview } from "./fileReview.ts";
import { hunkAt, type Side } from "./hunkPlaces.ts";
import { InlineOffer, type InlineOfferSetting } from "./inlineOffer.ts";
import { PreviewWindow } from "./previewWindow.ts";
import { PROPOSAL_SCHEME, ProposalFiles } from "./proposalFiles.ts";
import { reviewDocuments } from "./reviewDocuments.ts";
import { watchFiles } from "./watchFiles.ts";

/** Milliseconds after which the cards say that a diff is behind. */
const BEHIND_SHOWN_MS = 500;

const OVERWRITE_MINE = "Overwrite My Edit";

/** What the preview is built from. */
export interface DiffPreviewOptions {
  readonly logger: Logger;
  /** Asked each time, so that changed settings take effect at once. */
  settings(): { readonly inline: InlineOfferSetting; readonly review: "before" | "after" };
  /** Remembers across windows that inline diffs were offered. */
  readonly memento: vscode.Memento;
  readonly workspace: Pick<Workspace, "writable" | "resolve">;
  /** A second preview in one window needs a scheme of its own that starts with `graft-proposal`; that is the default. */
  readonly scheme?: string;
}

/** Reviews in VS Code's own diff editor, and what the commands for them do. Files are named by URI string, their own or the proposal's, or by workspace path; commands never reject. */
export class DiffPreview implements Reviewer, Disposable {
  private readonly options: DiffPreviewOptions;
  private readonly owned = new DisposableStack();
  private readonly files = new ProposalFiles();
  private readonly applier = new WorkspaceEditApplier();
  private readonly reviews = new Map<string, FileReview>();
  private readonly window: PreviewWindow;
  private readonly scheme: string;
  /** Reviews that are over: what their documents report still counts until their diffs are closed. */
  private readonly closing = new Set<FileReview>();
  private behind: readonly string[] = [];
  private behindTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly behindChanged = new Emitter<void>();

  constructor(options: DiffPreviewOptions) {
    this.options = options;
    this.scheme = options.scheme ?? PROPOSAL_SCHEME;
    this.owned.add(this.files);
    this.owned.add(vscode.workspace.registerFileSystemProvider(this.scheme, this.files, { isCaseSensitive: true }));
    const offer = new InlineOffer(options.memento, () => options.settings().inline);
    this.window = this.owned.add(
      new PreviewWindow({
        scheme: this.scheme,
        reviews: () => [...this.reviews.values()],
        offer,
        logger: options.logger,
      }),
    );
    this.owned.add(
      watchFiles({
        reviews: () => [...this.reviews.values()],
        shown: () => [...this.reviews.values(), ...this.closing],
        deleted: (review) => this.gone(review, "deleted"),
        moved: (review, uri) => void this.moved(review, uri),
      }),
    );
  }

  /** The workspace paths of the files whose proposals are pending, in the order they were opened. */
  get pendingPaths(): readonly string[] {
    return [...this.reviews.values()].map((review) => review.path);
  }

  open(snapshot: FileSnapshot, _callId: string, applied?: (change: AppliedChange) => void): Review {
    this.reviews.get(snapshot.file.uri)?.dispose();
    const proposalUri = vscode.Uri.from({ scheme: this.scheme, authority: newId("review"), path: `/${snapshot.file.path}` });
    const review: FileReview = new FileReview(snapshot, {
      ...reviewDocuments(proposalUri, this.files),
      model: new ReviewState(snapshot.text, snapshot.exists),
      proposalUri,
      createFile: (uri, text) => this.applier.create(uri, text),
      refusal: async () => (await this.options.workspace.writable(review.file))?.message ?? null,
      acceptsAtOnce: () => this.options.settings().review === "after" && !steersEditor(review.path),
      applied: (before, after) => applied?.({ file: review.file, before, after }),
      grew: (grown, offset) => this.window.grew(grown, offset),
      complete: (completed) => this.window.complete(completed),
      typedLate: (late) => void this.offerText(late, `You typed in the proposal for ${late.path} after its last change was decided.`),
      changed: () => {
        this.window.changed();
        this.watchBehind();
      },
      over: (ended, line) => {
        if (this.reviews.get(ended.file.uri) === ended) this.reviews.delete(ended.file.uri);
        this.closing.add(ended);
        return this.window.ended(ended, line).finally(() => this.closing.delete(ended));
      },
      tell: (message) => void vscode.window.showWarningMessage(message),
      log: (message) => this.options.logger.warn(message),
    });
    this.reviews.set(snapshot.file.uri, review);
    this.window.changed();
    return review;
  }

  /**
   * Accepts one hunk; without arguments the one at the cursor, which goes on to the next. Where the user edited the same lines, they are
   * asked first, unless they have chosen to `overwrite` their edit.
   */
  acceptHunk(file?: string, hunkId?: string, overwrite = false): Promise<void> {
    return this.decideHunk(file, hunkId, async (review, id) => {
      if (overwrite || !review.hunks().some((hunk) => hunk.id === id && hunk.conflict)) return review.accept([id], overwrite);
      const answer = await vscode.window.showWarningMessage(
        `You edited these lines of ${review.path}. Overwrite your edit?`,
        OVERWRITE_MINE,
      );
      if (answer === OVERWRITE_MINE) await review.accept([id], true);
    });
  }

  /** Rejects one hunk; without arguments the one at the cursor, which goes on to the next. */
  rejectHunk(file?: string, hunkId?: string): Promise<void> {
    return this.decideHunk(file, hunkId, (review, id) => review.reject([id]));
  }

  /** Accepts a file's hunks, but not those that conflict with the user's own changes; without an argument of the active file. */
  async acceptFile(file?: string): Promise<void> {
    const review = this.find(file);
    if (review) await this.acceptUnless(review, (hunk) => hunk.conflict);
  }

  /** Rejects all of a file's hunks; without an argument of the active file. */
  async rejectFile(file?: string): Promise<void> {
    const review = this.find(file);
    if (review) await review.reject(review.hunks().map((hunk) => hunk.id));
  }

  /** Accepts every file's hunks, but neither conflicts nor those with a warning: these wait for a decision of their own. */
  async acceptAll(): Promise<void> {
    for (const review of this.all()) await this.acceptUnless(review, (hunk) => hunk.conflict || hunk.warnings.length > 0);
  }

  /** Rejects every file's hunks. */
  async rejectAll(): Promise<void> {
    for (const review of this.all()) await review.reject(review.hunks().map((hunk) => hunk.id));
  }

  /** Selects the next hunk of the active file; opens a proposal when none is active. */
  nextChange(): Promise<void> {
    return this.step("next");
  }

  /** Selects the previous hunk of the active file; opens a proposal when none is active. */
  previousChange(): Promise<void> {
    return this.step("previous");
  }

  /** Brings a proposal's diff to the front; without an argument the active file's, else the one that waits longest. */
  async show(file?: string): Promise<void> {
    const review = file === undefined ? (this.active()?.review ?? this.all()[0]) : this.find(file);
    if (review) await this.window.show(review);
  }

  /** The workspace paths of files whose diff has not shown the whole proposal for a while. */
  get behindPaths(): readonly string[] {
    return this.behind;
  }

  /** Called when {@link behindPaths} changes. */
  onBehind(listener: () => void): Disposable {
    return this.behindChanged.on(listener);
  }

  /** Withdraws what is undecided and closes every preview. */
  dispose(): void {
    this.window.closing = true;
    clearTimeout(this.behindTimer);
    for (const review of [...this.reviews.values()]) review.dispose();
    this.owned.dispose();
  }

  private watchBehind(): void {
    const behind = [...this.reviews.values()].filter((review) => review.isBehind).map((review) => review.path);
    const show = (paths: readonly string[]) => {
      this.behind = paths;
      this.behindChanged.fire();
    };
    if (behind.length === 0) {
      clearTimeout(this.behindTimer);
      this.behindTimer = undefined;
      if (this.behind.length > 0) show([]);
    } else {
      this.behindTimer ??= setTimeout(() => show(behind), BEHIND_SHOWN_MS);
    }
  }

  private async decideHunk(
    file: string | undefined,
    hunkId: string | undefined,
    decide: (review: FileReview, id: string) => Promise<void>,
  ): Promise<void> {
    const found = this.hunk(file, hunkId);
    if (!found) return;
    const { review, hunk } = found;
    await decide(review, hunk.id);
    const decided = !review.hunks().some(({ id }) => id === hunk.id);
    if (hunkId === undefined && decided && review.hunks().length > 0) await this.window.step(review, "next");
  }

  private async step(direction: "next" | "previous"): Promise<void> {
    const review = this.active()?.review ?? this.all()[0];
    if (review) await this.window.step(review, direction);
  }

  private all(): FileReview[] {
    if (this.reviews.size === 0) void vscode.window.showInformationMessage("Graft has no proposed changes to decide on.");
    const active = this.active();
    for (const review of this.reviews.values()) review.decidedInDiff = review === active?.review && active.side === "proposed";
    return [...this.reviews.values()];
  }

  private async acceptUnless(review: FileReview, held: (hunk: Hunk) => boolean): Promise<void> {
    const hunks = review.hunks();
    const kept = hunks.filter(held).length;
    await review.accept(hunks.filter((hunk) => !held(hunk)).map((hunk) => hunk.id));
    if (kept === 0 || review.ended || review.streaming) return;
    const waits = `${counted(kept, "change")} in ${review.path} ${kept === 1 ? "waits" : "wait"} for a decision of ${kept === 1 ? "its" : "their"} own: a conflict with your changes, or a warning.`;
    const answer = vscode.window.showWarningMessage(waits, "Show");
    void answer.then((chosen) => (chosen ? this.window.show(review) : undefined));
  }

  private find(file: string | undefined): FileReview | null {
    const reviews = [...this.reviews.values()];
    const active = this.active();
    const byDiff = reviews.find(({ proposalUri }) => proposalUri.toString() === file);
    const found =
      file === undefined
        ? (active?.review ?? (reviews.length === 1 ? reviews[0] : undefined))
        : (byDiff ?? this.reviews.get(file) ?? reviews.find((review) => review.path === file || review.snapshot.file.path === file));
    if (found) {
      found.decidedInDiff = found === byDiff || (file === undefined && active?.review === found && active.side === "proposed");
      return found;
    }
    const where = file === undefined ? "the active editor" : "this file";
    void vscode.window.showInformationMessage(`Graft has no proposed changes for ${where}.`);
    return null;
  }

  private hunk(file: string | undefined, hunkId: string | undefined): { readonly review: FileReview; readonly hunk: Hunk } | null {
    const review = this.find(file);
    if (!review) return null;
    const active = this.active();
    const line = active?.review === review ? active.line : -1;
    const hunk =
      hunkId === undefined ? hunkAt(review.hunks(), active?.side ?? "proposed", line) : review.hunks().find(({ id }) => id === hunkId);
    if (hunk) return { review, hunk };
    const message =
      hunkId === undefined ? "Put the cursor into a proposed change first, or use Next Change." : "That change is not there any more.";
    void vscode.window.showInformationMessage(message);
    return null;
  }

  /** The review that the active editor belongs to, and the cursor's place in it. */
  private active(): { readonly review: FileReview; readonly side: Side; readonly line: number } | null {
    const editor = vscode.window.activeTextEditor;
    const key = editor?.document.uri.toString();
    const shown = proposalOf(vscode.window.tabGroups.activeTabGroup.activeTab)?.toString();
    for (const review of this.reviews.values()) {
      const proposal = review.proposalUri.toString();
      if (editor && key === proposal) return { review, side: "proposed", line: editor.selection.active.line };
      if (editor && key === review.realUri.toString()) return { review, side: "real", line: editor.selection.active.line };
      if (shown === proposal) return { review, side: "proposed", line: -1 };
    }
    return null;
  }

  /** Follows a file to its new place; one that has left the workspace is lost. */
  private async moved(review: FileReview, uri: vscode.Uri): Promise<void> {
    const path = spelledPath(uri);
    const file = path === null ? null : await this.options.workspace.resolve(path);
    if (review.ended) return;
    if (!file?.ok) {
      this.gone(review, "moved out of the workspace");
      return;
    }
    const from = review.realUri;
    const replaced = this.reviews.get(file.value.uri);
    if (replaced !== review) replaced?.dispose();
    if (this.reviews.get(from.toString()) === review) this.reviews.delete(from.toString());
    this.reviews.set(file.value.uri, review);
    await review.moved(file.value);
    await this.window.moved(review, from);
  }

  private gone(review: FileReview, how: string): void {
    void review.lose({ code: "file-gone" });
    void this.offerText(review, `${review.path} was ${how}. Graft withdrew its proposal.`);
  }

  private async offerText(review: FileReview, message: string): Promise<void> {
    const { languageId } = review.snapshot;
    const chosen = await vscode.window.showWarningMessage(message, "Open the Proposed Text");
    if (!chosen) return;
    const content = review.proposal.text;
    const document = await vscode.workspace.openTextDocument({ content, ...(languageId ? { language: languageId } : {}) });
    await vscode.window.showTextDocument(document);
  }
}
