import * as vscode from "vscode";
import { type Disposable, disposable } from "../../base/disposable.ts";
import type { FileReview } from "../proposals/fileReview.ts";
import type { ReviewList } from "../proposals/reviewList.ts";

/**
 * Milliseconds after which a deleted file counts as gone: programs that save by renaming delete it
 * for a moment.
 */
const GONE_AFTER_MS = 500;

/** Something that a review does not follow by itself. */
export type FileEvent =
  /** The user moved the cursor in the proposal by key or mouse, as typing does. */
  | { readonly type: "gesture" }
  /** The file is gone. */
  | { readonly type: "deleted" }
  /** The file was renamed in the editor, and is at `uri` now. */
  | { readonly type: "moved"; readonly uri: vscode.Uri };

type FileListener = (review: FileReview, event: FileEvent) => void;

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

/**
 * Keeps the pending reviews in step with the editor's documents and the files behind them;
 * `listener` gets the rest.
 */
export function watchFiles(reviews: ReviewList, listener: FileListener): Disposable {
  return vscode.Disposable.from(watchDocuments(reviews, listener), watchPlaces(reviews, listener));
}

function ofUri(reviews: readonly FileReview[], uri: vscode.Uri): readonly FileReview[] {
  return reviews.filter((review) => review.realUri.toString() === uri.toString());
}

/** What the editor does with the documents of files and proposals. */
function watchDocuments(reviews: ReviewList, listener: FileListener): vscode.Disposable {
  const { workspace, window } = vscode;
  const onRecord = (uri: vscode.Uri) => ofUri([...reviews.pending, ...reviews.unsaved], uri);
  const byProposal = (uri: vscode.Uri) =>
    [...reviews.pending, ...reviews.closing].find(
      (review) => review.proposalUri.toString() === uri.toString(),
    );
  return vscode.Disposable.from(
    workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
      const change = { contentChanges, repeated: repeatedBy(reason) };
      for (const review of onRecord(document.uri)) review.realChanged(document, change);
      byProposal(document.uri)?.proposal.documentChanged(document, change);
    }),
    workspace.onDidOpenTextDocument((document) => {
      ofUri(reviews.pending, document.uri)[0]?.realOpened(document);
      byProposal(document.uri)?.proposal.opened(document);
    }),
    workspace.onDidCloseTextDocument((document) => {
      for (const review of onRecord(document.uri)) review.realClosed(document);
      byProposal(document.uri)?.proposal.closed(document);
    }),
    workspace.onWillSaveTextDocument(({ document, reason }) =>
      byProposal(document.uri)?.proposal.willSave(
        reason === vscode.TextDocumentSaveReason.AfterDelay,
      ),
    ),
    workspace.onDidSaveTextDocument((document) => {
      byProposal(document.uri)?.proposal.saved();
      for (const review of onRecord(document.uri)) void review.realSaved(document);
    }),
    window.onDidChangeTextEditorSelection((event) => {
      const review = isByHand(event) ? byProposal(event.textEditor.document.uri) : undefined;
      if (!review) return;
      review.proposal.gesture();
      listener(review, { type: "gesture" });
    }),
    window.onDidChangeActiveTextEditor(() => {
      for (const { proposal } of reviews.pending) proposal.left();
    }),
  );
}

/** True where there is no such file: also where a parent is a file. */
async function isMissing(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return (
      error instanceof vscode.FileSystemError &&
      ["FileNotFound", "FileNotADirectory"].includes(error.code)
    );
  }
}

/** The editor renames a file, or a folder with what is in it. */
interface Renaming {
  readonly oldUri: vscode.Uri;
  readonly newUri: vscode.Uri;
}

/** Where a file in it goes. */
function movedBy({ oldUri, newUri }: Renaming, uri: vscode.Uri): vscode.Uri {
  return newUri.with({ path: newUri.path + uri.path.slice(oldUri.path.length) });
}

/** Where the files go. */
function watchPlaces(reviews: ReviewList, listener: FileListener): vscode.Disposable {
  const { workspace } = vscode;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const inside = (uri: vscode.Uri, parent: vscode.Uri) => `${uri}/`.startsWith(`${parent}/`);
  /** What the editor renames. A watcher may tell first that the file is not where it was. */
  let renaming: readonly Renaming[] = [];
  const deletedMaybe = (uri: vscode.Uri) => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      if (!(await isMissing(uri))) return;
      const renamed = renaming.find(({ oldUri }) => inside(uri, oldUri));
      // A rename that failed moved nothing: then the file is deleted after all.
      if (renamed && !(await isMissing(movedBy(renamed, uri)))) return;
      const [review] = ofUri(reviews.pending, uri);
      if (review?.fileExists) listener(review, { type: "deleted" });
    }, GONE_AFTER_MS);
    timers.add(timer);
  };
  const watcher = workspace.createFileSystemWatcher("**/*", true, true, false);
  return vscode.Disposable.from(
    workspace.onWillRenameFiles(({ files }) => {
      const again = new Set(files.map(({ oldUri }) => oldUri.toString()));
      renaming = [...renaming.filter(({ oldUri }) => !again.has(oldUri.toString())), ...files];
    }),
    workspace.onDidRenameFiles(({ files }) => {
      const done = new Set(files.map(({ oldUri }) => oldUri.toString()));
      renaming = renaming.filter(({ oldUri }) => !done.has(oldUri.toString()));
      for (const review of reviews.pending) {
        const file = files.find(({ oldUri }) => inside(review.realUri, oldUri));
        if (!file || !review.fileExists) continue;
        listener(review, { type: "moved", uri: movedBy(file, review.realUri) });
      }
    }),
    workspace.onDidDeleteFiles(({ files }) => {
      for (const review of reviews.pending)
        if (files.some((uri) => inside(review.realUri, uri))) deletedMaybe(review.realUri);
    }),
    watcher,
    watcher.onDidDelete((uri) => {
      if (ofUri(reviews.pending, uri).length > 0) deletedMaybe(uri);
    }),
    disposable(() => {
      for (const timer of timers) clearTimeout(timer);
    }),
  );
}
