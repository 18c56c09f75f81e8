import * as vscode from "vscode";
import { err, type Result } from "../base/result.ts";
import type { FileError, FileRef } from "../ports/workspace.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";

/**
 * The file that Start Edit Mode was called on: the URI of a menu, a path, or the active editor's file. The error is a sentence for
 * the user: there is no file, or it cannot be edited.
 */
export async function findEditTarget(argument: unknown, workspace: VscodeWorkspace): Promise<Result<FileRef, string>> {
  const file = await resolveArgument(argument, workspace);
  if (!file.ok) return file;
  const refused = await workspace.writable(file.value);
  if (refused) return err(refused.message);
  const snapshot = await workspace.read(file.value, new AbortController().signal);
  return snapshot.ok ? file : err(snapshot.error.message);
}

async function resolveArgument(argument: unknown, workspace: VscodeWorkspace): Promise<Result<FileRef, string>> {
  if (typeof argument === "string") return inWords(await workspace.resolve(argument));
  const uri = argument instanceof vscode.Uri ? argument : activeUri();
  if (!uri) return err("No file is open in the active editor. Open the file to edit, or use the context menu of the explorer.");
  const reason = notAFile(uri);
  return reason ? err(reason) : inWords(await workspace.resolveUri(uri));
}

function inWords(file: Result<FileRef, FileError>): Result<FileRef, string> {
  return file.ok ? file : err(file.error.message);
}

/** The workspace-relative path of the file in the active editor, in a diff the real file's, or null. */
export function activeFilePath(pathOf: (uri: vscode.Uri) => string | null): string | null {
  const uri = activeUri();
  return uri ? pathOf(uri) : null;
}

function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) {
    return input.uri;
  }
  if (input instanceof vscode.TabInputTextDiff) {
    return vscode.workspace.getWorkspaceFolder(input.modified) ? input.modified : input.original;
  }
  return undefined;
}

function notAFile(uri: vscode.Uri): string | null {
  switch (uri.scheme) {
    case "untitled":
      return "This file has not been saved yet. Save it into the workspace first, then start edit mode.";
    case "output":
      return "This is an output channel, not a file of the workspace. Open the file to edit.";
    case "vscode-notebook-cell":
      return "Cells of a notebook cannot be edited this way. Open a text file.";
    case "git":
    case "graft-proposal":
    case "graft-start":
      return "This is a version of a file, not the file itself. Open the file to edit.";
    default:
      return null;
  }
}
