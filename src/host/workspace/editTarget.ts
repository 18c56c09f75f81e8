import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import { allowSecret, type FileError, type FileRef } from "../../ports/workspace.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** Why edit mode cannot start on the given target. */
export type EditTargetProblem =
  | { readonly code: "no-file" | "unsaved-file" | "not-a-file" }
  | FileError;

/** The file for edit mode: the URI from a menu, a path, or the active editor's file. */
export async function findEditTarget(
  argument: unknown,
  workspace: VscodeWorkspace,
): Promise<Result<FileRef, EditTargetProblem>> {
  const file = await resolveArgument(argument, workspace);
  if (!file.ok) return file;
  const refused = await workspace.writable(file.value);
  if (refused) return err(refused);
  const snapshot = await workspace.read(allowSecret(file.value), new AbortController().signal);
  return snapshot.ok ? ok(file.value) : err(snapshot.error);
}

async function resolveArgument(
  argument: unknown,
  workspace: VscodeWorkspace,
): Promise<Result<FileRef, EditTargetProblem>> {
  if (typeof argument === "string") return workspace.resolve(argument);
  const uri = argument instanceof vscode.Uri ? argument : activeUri();
  if (!uri) return err({ code: "no-file" });
  if (uri.scheme === "untitled") return err({ code: "unsaved-file" });
  return NO_FILES.has(uri.scheme) ? err({ code: "not-a-file" }) : workspace.resolveUri(uri);
}

/** URI schemes of output channels, notebook cells, and earlier or proposed versions of a file. */
const NO_FILES = new Set([
  "output",
  "vscode-notebook-cell",
  "git",
  "graft-proposal",
  "graft-start",
]);

/**
 * The workspace-relative path of the active editor's file, or null. In a diff, the path of the real
 * file.
 */
export function activeFilePath(): string | null {
  const uri = activeUri();
  return uri ? workspacePathOf(uri) : null;
}

function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  ) {
    return input.uri;
  }
  if (input instanceof vscode.TabInputTextDiff) {
    return vscode.workspace.getWorkspaceFolder(input.modified) ? input.modified : input.original;
  }
  return undefined;
}
