import * as vscode from "vscode";
import type { FileReview } from "../../review/proposals/fileReview.ts";

/** A file's review on VS Code's documents. */
export type EditorReview = FileReview<vscode.TextDocument>;

/** Where the reviewed file is. */
export function fileUriOf({ file }: Pick<EditorReview, "file">): vscode.Uri {
  return vscode.Uri.parse(file.uri, true);
}

/** Where the document of the proposal is. */
export function proposalUriOf({ proposalUri }: Pick<EditorReview, "proposalUri">): vscode.Uri {
  return vscode.Uri.parse(proposalUri, true);
}
