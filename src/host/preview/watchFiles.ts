import * as vscode from "vscode";
import { type Disposable, disposable } from "../../base/disposable.ts";
import { documentEvents } from "../../review/proposals/documentEvents.ts";
import type { WorkspaceProposals } from "../../review/proposals/workspaceProposals.ts";
import { type EditorReview, fileUriOf } from "../documents/editorReview.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";

/**
 * Milliseconds after which a deleted file counts as gone: programs that save by renaming delete it
 * for a moment.
 */
const GONE_AFTER_MS = 500;

type EditorProposals = WorkspaceProposals<vscode.TextDocument>;

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
 * Tells the proposals what the editor does with documents and files; `gesture` hears where the user
 * moved the cursor in a proposal.
 */
export function watchFiles(
  proposals: EditorProposals,
  gesture: (review: EditorReview) => void,
): Disposable {
  return vscode.Disposable.from(watchDocuments(proposals, gesture), watchPlaces(proposals));
}

/** What the editor does with the documents of files and proposals. */
function watchDocuments(
  proposals: EditorProposals,
  gesture: (review: EditorReview) => void,
): vscode.Disposable {
  const { workspace, window } = vscode;
  const events = documentEvents(proposals);
  return vscode.Disposable.from(
    workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) =>
      events.changed(document.uri.toString(), document, {
        contentChanges,
        repeated: repeatedBy(reason),
      }),
    ),
    workspace.onDidOpenTextDocument((document) => events.opened(document.uri.toString(), document)),
    workspace.onDidCloseTextDocument((document) =>
      events.closed(document.uri.toString(), document),
    ),
    workspace.onWillSaveTextDocument(({ document, reason }) =>
      events.willSave(document.uri.toString(), reason === vscode.TextDocumentSaveReason.AfterDelay),
    ),
    workspace.onDidSaveTextDocument((document) => events.saved(document.uri.toString(), document)),
    window.onDidChangeTextEditorSelection((event) => {
      const { uri } = event.textEditor.document;
      const review = isByHand(event) ? events.gesture(uri.toString()) : undefined;
      if (review) gesture(review);
    }),
    window.onDidChangeActiveTextEditor(() => events.left()),
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
function watchPlaces(proposals: EditorProposals): vscode.Disposable {
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
      const review = proposals.of(uri.toString());
      if (review?.fileExists) proposals.gone(review, "deleted");
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
      for (const review of proposals.reviews) {
        const uri = fileUriOf(review);
        const file = files.find(({ oldUri }) => inside(uri, oldUri));
        if (!file || !review.fileExists) continue;
        void proposals.moved(review, workspacePathOf(movedBy(file, uri)));
      }
    }),
    workspace.onDidDeleteFiles(({ files }) => {
      for (const uri of proposals.reviews.map(fileUriOf))
        if (files.some((deleted) => inside(uri, deleted))) deletedMaybe(uri);
    }),
    watcher,
    watcher.onDidDelete((uri) => {
      if (proposals.of(uri.toString())) deletedMaybe(uri);
    }),
    disposable(() => {
      for (const timer of timers) clearTimeout(timer);
    }),
  );
}
