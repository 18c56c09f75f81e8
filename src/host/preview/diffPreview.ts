import * as vscode from "vscode";
import { type Disposable, DisposableStack } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { ChatTitles } from "../../review/chats/chatTitles.ts";
import type {
  DecidedBy,
  LastDecision,
  ProposalPlace,
} from "../../review/proposals/fileReviewDeps.ts";
import {
  changedDeletionQuestion,
  decisionProblemMessage,
  goneMessage,
  operationProblemMessage,
  twiceProposedMessage,
} from "../../review/proposals/messages.ts";
import type { OperationProblem } from "../../review/proposals/proposedOperations.ts";
import {
  type ProposalsView,
  WorkspaceProposals,
  type WorkspaceProposalsDeps,
} from "../../review/proposals/workspaceProposals.ts";
import { deletionDiff } from "../documents/deletionDiff.ts";
import type { EditorReview } from "../documents/editorReview.ts";
import { PROPOSAL_SCHEME, ProposalFiles } from "../documents/proposalFiles.ts";
import { proposalAddress, watchProposalLanguage } from "../documents/proposalLanguage.ts";
import { vscodeEditorFiles } from "../documents/vscodeEditorFiles.ts";
import { t } from "../localize.ts";
import { BehindDiffs } from "./behindDiffs.ts";
import { DiffView } from "./diffView.ts";
import { hunkMark } from "./hunkLenses.ts";
import { createInlineDiffPrompt, type InlineDiffSetting } from "./inlineDiffPrompt.ts";
import { deletionTitle } from "./messages.ts";
import { ReviewCommands } from "./reviewCommands.ts";
import { watchFiles } from "./watchFiles.ts";

/** What the preview is built from. */
export interface DiffPreviewOptions
  extends Pick<
    WorkspaceProposalsDeps<vscode.TextDocument>,
    "workspace" | "files" | "store" | "events"
  > {
  readonly logger: Logger;
  /** Read each time, so that changed settings take effect at once. */
  settings(): { readonly inline: InlineDiffSetting; readonly review: "before" | "after" };
  /** Remembers across windows that the user was asked about inline diffs. */
  readonly memento: vscode.Memento;
  /** Where other windows may decide too. */
  readonly shared?: NonNullable<WorkspaceProposalsDeps<vscode.TextDocument>["shared"]>;
  /** What the chats are called that wrote in one file. */
  readonly titles?: Pick<ChatTitles, "of" | "onChange">;
  /** Called when the user decided on the last pending change in an editor. */
  focusComposer?(): void;
  /**
   * Default `graft-proposal`. A second preview in one window needs its own scheme with that prefix.
   */
  readonly scheme?: string;
}

/** The workspace's proposals in VS Code's diff editor. */
export class DiffPreview implements ProposalsView<vscode.TextDocument>, Disposable {
  /** The list of them, which the preview shows. */
  readonly proposals: WorkspaceProposals<vscode.TextDocument>;
  /** What the user decides. */
  readonly commands: ReviewCommands;
  /** Diffs that have been behind their proposals for a while. */
  readonly behind: BehindDiffs;
  private readonly owned = new DisposableStack();
  private readonly files = new ProposalFiles();
  private readonly view: DiffView;
  private readonly scheme: string;
  /**
   * Ended reviews whose proposal changed since, be it by the user or by what formats it when its
   * tab is saved to be closed.
   */
  private readonly changedLate = new WeakSet<EditorReview>();
  private toldPending = false;

  constructor(options: DiffPreviewOptions) {
    const { workspace, files, store, events, shared, logger, scheme = PROPOSAL_SCHEME } = options;
    this.scheme = scheme;
    this.owned.add(this.files);
    this.owned.add(
      vscode.workspace.registerFileSystemProvider(scheme, this.files, { isCaseSensitive: true }),
    );
    this.owned.add(watchProposalLanguage(scheme));
    this.proposals = new WorkspaceProposals({
      ...{ workspace, files, store, events, shared, view: this },
      editor: vscodeEditorFiles(workspace),
      newPlace: (uri) => this.newPlace(vscode.Uri.parse(uri, true)),
      reviewed: () => options.settings().review,
      log: (message) => logger.warn(message),
    });
    const { proposals } = this;
    this.behind = this.owned.add(new BehindDiffs(() => proposals.reviews));
    const offerInline = createInlineDiffPrompt(options.memento, () => options.settings().inline);
    const nothingLeft = (by: DecidedBy) => {
      offerInline();
      if (by === "command") options.focusComposer?.();
    };
    const { titles } = options;
    const titleOf = (chatId: string) => titles?.of(chatId) ?? "";
    this.view = this.owned.add(new DiffView(scheme, proposals, titleOf, nothingLeft, logger));
    if (titles) this.owned.add(titles.onChange(() => this.view.redrawSoon()));
    const deletions = deletionDiff(scheme, this.files);
    this.owned.add(
      proposals.operations.onChange(
        () => void deletions.closeDecided((uri) => proposals.operations.find(uri) !== undefined),
      ),
    );
    this.owned.add(
      proposals.onChange(() => {
        this.view.redrawSoon();
        this.behind.look();
        this.tellPending();
      }),
    );
    this.commands = new ReviewCommands(proposals, this.view, (file) =>
      deletions.show(file, deletionTitle(t, file.path)),
    );
    this.owned.add(watchFiles(proposals, (review) => this.gesture(review)));
  }

  /**
   * Says something over these hunks, and over no others; each by its index in its file's proposal,
   * null for what has none. Gives their ids, as far as they are there.
   */
  markHunks(
    found: readonly {
      readonly uri: string;
      readonly hunk: number | null;
      readonly text: string;
    }[],
  ): readonly (string | undefined)[] {
    const marks = found.map(({ uri, hunk, text }) => hunkMark(this.proposals.of(uri), hunk, text));
    this.view.mark(marks.filter((mark) => mark !== undefined));
    return marks.map((mark) => mark?.hunkId);
  }

  began(turnId: string): void {
    this.view.diffs.began(turnId);
  }

  opened(): void {
    this.view.redrawSoon();
  }

  show(
    review: EditorReview,
    what: Parameters<ProposalsView<vscode.TextDocument>["show"]>[1],
  ): void {
    const { showWarningMessage, setStatusBarMessage } = vscode.window;
    if (what.type === "grew") this.view.grew(review, what.offset);
    else if (what.type === "complete") this.view.complete(review);
    else if (what.type === "typed-late") this.changedLate.add(review);
    else if (what.type === "refused")
      void showWarningMessage(decisionProblemMessage(t, what.problem, review.path));
    else
      void setStatusBarMessage(
        t("Undo here only takes back what you typed in the proposal."),
        5_000,
      );
  }

  moved(review: EditorReview, from: string): Promise<void> {
    return this.view.moved(review, from);
  }

  gone(review: EditorReview, how: "deleted" | "moved"): void {
    void this.view.offerText(review, goneMessage(t, review.path, how));
  }

  ended(review: EditorReview, last: LastDecision, others: readonly EditorReview[]): Promise<void> {
    return this.view.ended(review, last, others);
  }

  foundTwice(paths: readonly string[]): void {
    void vscode.window.showInformationMessage(twiceProposedMessage(t, paths));
  }

  refuseOperation(problem: OperationProblem): void {
    const { showInformationMessage, showWarningMessage } = vscode.window;
    const show = problem.code === "file-error" ? showWarningMessage : showInformationMessage;
    void show(operationProblemMessage(t, problem));
  }

  async confirmDeletion(path: string): Promise<boolean> {
    const anyway = t("Delete Anyway");
    const answer = vscode.window.showWarningMessage(changedDeletionQuestion(t, path), anyway);
    return (await answer) === anyway;
  }

  /** What is pending stays on record. */
  dispose(): void {
    this.view.diffs.closing = true;
    this.proposals.close();
    this.owned.dispose();
  }

  private newPlace(file: vscode.Uri): ProposalPlace {
    const { files } = this;
    const place = proposalAddress(this.scheme, newId("review"), file);
    const uri = place.toString();
    return {
      uri,
      memory: {
        put: (text, writable, read) => files.put(place, text, writable, read),
        announce: () => files.announce(place),
        withdraw: () => files.withdraw(place),
        remove: () => files.remove(place),
      },
      isInUse: () => vscode.window.activeTextEditor?.document.uri.toString() === uri,
    };
  }

  /** Which commands the palette offers: some also decide on files to delete or rename. */
  private tellPending(): void {
    const isPending = this.proposals.pendingPaths.length > 0;
    if (this.toldPending === isPending) return;
    this.toldPending = isPending;
    void vscode.commands.executeCommand("setContext", "graft.pending", isPending);
  }

  private gesture(review: EditorReview): void {
    if (!this.changedLate.delete(review)) return;
    const { path } = review;
    const message = t("You edited the proposal for {path} after it was decided.", { path });
    void this.view.offerText(review, message);
  }
}
