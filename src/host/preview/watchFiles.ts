import * as vscode from "vscode";
import { type Disposable, DisposableStack, disposable } from "../../base/disposable.ts";
import { CreatedFiles } from "./createdFiles.ts";
import type { FileReview } from "./fileReview.ts";

/** Milliseconds after which a deleted file counts as gone: programs that save by renaming delete it for a moment. */
const GONE_AFTER_MS = 500;

async function isMissing(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === "FileNotFound";
  }
}

/** Who hears of the files behind the pending reviews. */
export interface WatchFilesOptions {
  reviews(): readonly FileReview[];
  /** The same, and those that are over but whose diff is still being closed. */
  shown(): readonly FileReview[];
  /** The file is not there any more. */
  deleted(review: FileReview): void;
  /** The file is at `uri` now: renamed in the editor, or by another program that left its text as it was. */
  moved(review: FileReview, uri: vscode.Uri): void;
}

/** Keeps the pending reviews in step with the editor's documents and the files behind them. */
export function watchFiles(options: WatchFilesOptions): Disposable {
  const { reviews, shown, deleted, moved } = options;
  const owned = new DisposableStack();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const appeared = new CreatedFiles();
  const byUri = (uri: vscode.Uri) => {
    const key = uri.toString();
    return reviews().find((review) => review.realUri.toString() === key);
  };
  const byProposal = (uri: vscode.Uri) => {
    const key = uri.toString();
    return shown().find((review) => review.proposalUri.toString() === key);
  };
  const deletedMaybe = (uri: vscode.Uri) => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const review = byUri(uri);
      if (!review?.fileExists || !(await isMissing(uri))) return;
      const target = await appeared.only(review.realText);
      if (review.ended || byUri(uri) !== review) return;
      if (target) moved(review, target);
      else deleted(review);
    }, GONE_AFTER_MS);
    timers.add(timer);
  };
  const inside = (uri: vscode.Uri, parent: vscode.Uri) =>
    uri.scheme === parent.scheme && uri.authority === parent.authority && `${uri.path}/`.startsWith(`${parent.path}/`);

  owned.add(
    vscode.workspace.onDidChangeTextDocument((event) => {
      const { document, contentChanges, reason } = event;
      const change = { contentChanges, undone: reason !== undefined };
      byUri(document.uri)?.realChanged(document, change);
      byProposal(document.uri)?.proposal.changed(document, change);
    }),
  );
  owned.add(
    vscode.workspace.onDidOpenTextDocument((document) => {
      byUri(document.uri)?.realOpened(document);
      byProposal(document.uri)?.proposal.opened(document);
    }),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument((document) => {
      byUri(document.uri)?.realClosed(document);
      byProposal(document.uri)?.proposal.closed(document);
    }),
  );
  owned.add(
    vscode.workspace.onWillSaveTextDocument(({ document, reason }) =>
      byProposal(document.uri)?.proposal.willSave(reason === vscode.TextDocumentSaveReason.AfterDelay),
    ),
  );
  owned.add(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse)
        byProposal(textEditor.document.uri)?.proposal.gesture();
    }),
  );
  owned.add(
    vscode.window.onDidChangeActiveTextEditor(() => {
      for (const { proposal } of reviews()) proposal.left();
    }),
  );
  owned.add(vscode.workspace.onDidSaveTextDocument((document) => byProposal(document.uri)?.proposal.saved()));
  owned.add(
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const review of reviews()) {
        const file = files.find(({ oldUri }) => inside(review.realUri, oldUri));
        if (!file || !review.fileExists) continue;
        const rest = review.realUri.path.slice(file.oldUri.path.length);
        moved(review, file.newUri.with({ path: file.newUri.path + rest }));
      }
    }),
  );
  owned.add(
    vscode.workspace.onDidDeleteFiles(({ files }) => {
      for (const review of reviews()) if (files.some((uri) => inside(review.realUri, uri))) deletedMaybe(review.realUri);
    }),
  );
  const watcher = owned.add(vscode.workspace.createFileSystemWatcher("**/*", false, true, false));
  owned.add(
    watcher.onDidCreate((uri) => {
      if (reviews().length > 0) appeared.add(uri);
    }),
  );
  owned.add(watcher.onDidDelete((uri) => byUri(uri) && deletedMaybe(uri)));
  owned.add(
    disposable(() => {
      for (const timer of timers) clearTimeout(timer);
    }),
  );
  return owned;
}
