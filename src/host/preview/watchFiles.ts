import * as vscode from "vscode";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { unlessMissing } from "../workspace/unlessMissing.ts";
import type { FileReview } from "./fileReview.ts";

/**
 * Milliseconds after which a deleted file counts as gone: programs that save by renaming delete it
 * for a moment.
 */
const GONE_AFTER_MS = 500;

/** Who hears of the files behind the pending reviews. */
export interface WatchFilesOptions {
  reviews(): readonly FileReview[];
  /** The same, and those that are over but whose diff is still being closed. */
  shown(): readonly FileReview[];
  /** The user moved the cursor in a proposal by key or mouse, as typing does. */
  gesture(review: FileReview): void;
  /** Those that are over, with accepts that are not saved. */
  unsaved(): readonly FileReview[];
  /** The file is not there any more. */
  deleted(review: FileReview): void;
  /** The file was renamed in the editor, and is at `uri` now. */
  moved(review: FileReview, uri: vscode.Uri): void;
}

/** True where the user moved the cursor by key or mouse, as typing does. */
export function isByHand({ kind }: vscode.TextEditorSelectionChangeEvent): boolean {
  return (
    kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
    kind === vscode.TextEditorSelectionChangeKind.Mouse
  );
}

function repeatedBy(reason: vscode.TextDocumentChangeReason | undefined): "undo" | "redo" | null {
  if (reason === vscode.TextDocumentChangeReason.Undo) return "undo";
  return reason === vscode.TextDocumentChangeReason.Redo ? "redo" : null;
}

/** Keeps the pending reviews in step with the editor's documents and the files behind them. */
export function watchFiles({
  reviews,
  shown,
  unsaved,
  gesture,
  deleted,
  moved,
}: WatchFilesOptions): Disposable {
  const { workspace, window } = vscode;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const ofUri = (all: readonly FileReview[], uri: vscode.Uri) =>
    all.filter((review) => review.realUri.toString() === uri.toString());
  const byUri = (uri: vscode.Uri) => ofUri(reviews(), uri)[0];
  const byProposal = (uri: vscode.Uri) =>
    shown().find((review) => review.proposalUri.toString() === uri.toString());
  const deletedMaybe = (uri: vscode.Uri) => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      if ((await unlessMissing(workspace.fs.stat(uri)).catch(() => undefined)) !== null) return;
      const review = byUri(uri);
      if (review?.fileExists) deleted(review);
    }, GONE_AFTER_MS);
    timers.add(timer);
  };
  const inside = (uri: vscode.Uri, parent: vscode.Uri) => `${uri}/`.startsWith(`${parent}/`);
  const watcher = workspace.createFileSystemWatcher("**/*", true, true, false);

  return vscode.Disposable.from(
    workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      const change = { contentChanges, repeated: repeatedBy(reason) };
      for (const review of ofUri([...reviews(), ...unsaved()], document.uri))
        review.realChanged(document, change);
      byProposal(document.uri)?.proposal.changed(document, change);
    }),
    workspace.onDidOpenTextDocument((document) => {
      byUri(document.uri)?.realOpened(document);
      byProposal(document.uri)?.proposal.opened(document);
    }),
    workspace.onDidCloseTextDocument((document) => {
      for (const review of ofUri([...reviews(), ...unsaved()], document.uri))
        review.realClosed(document);
      byProposal(document.uri)?.proposal.closed(document);
    }),
    workspace.onWillSaveTextDocument(({ document, reason }) =>
      byProposal(document.uri)?.proposal.willSave(
        reason === vscode.TextDocumentSaveReason.AfterDelay,
      ),
    ),
    workspace.onDidSaveTextDocument((document) => {
      byProposal(document.uri)?.proposal.saved();
      for (const review of ofUri([...reviews(), ...unsaved()], document.uri))
        void review.realSaved(document);
    }),
    window.onDidChangeTextEditorSelection((event) => {
      const review = isByHand(event) ? byProposal(event.textEditor.document.uri) : undefined;
      if (!review) return;
      review.proposal.gesture();
      gesture(review);
    }),
    window.onDidChangeActiveTextEditor(() => {
      for (const { proposal } of reviews()) proposal.left();
    }),
    workspace.onDidRenameFiles(({ files }) => {
      for (const review of reviews()) {
        const file = files.find(({ oldUri }) => inside(review.realUri, oldUri));
        if (!file || !review.fileExists) continue;
        const rest = review.realUri.path.slice(file.oldUri.path.length);
        moved(review, file.newUri.with({ path: file.newUri.path + rest }));
      }
    }),
    workspace.onDidDeleteFiles(({ files }) => {
      for (const review of reviews())
        if (files.some((uri) => inside(review.realUri, uri))) deletedMaybe(review.realUri);
    }),
    watcher,
    watcher.onDidDelete((uri) => byUri(uri) && deletedMaybe(uri)),
    disposable(() => {
      for (const timer of timers) clearTimeout(timer);
    }),
  );
}
