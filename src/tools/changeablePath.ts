import { err, type Result } from "../base/result.ts";
import type { FileError, FileRef, Workspace } from "../ports/workspace.ts";
import { isVersionControl } from "./isVersionControl.ts";

/**
 * The place that `path` names, where a tool may create, replace or delete something. Refused are an untrusted workspace and what
 * belongs to version control: a hook that is written there runs with the next commit.
 */
export async function changeablePath(workspace: Workspace, path: string): Promise<Result<FileRef, FileError>> {
  if (!workspace.trusted) {
    return err({ kind: "untrusted", message: `This workspace is not trusted, so ${path} cannot be changed. The user can trust it.` });
  }
  return editablePath(workspace, path);
}

/** The file that `path` names, unless it belongs to version control. */
export async function editablePath(workspace: Workspace, path: string): Promise<Result<FileRef, FileError>> {
  const file = await workspace.resolve(path);
  if (!file.ok) return file;
  if (!isVersionControl(file.value.path) && !isVersionControl(decodeURIComponent(new URL(file.value.uri).pathname))) return file;
  return err({ kind: "read-only", message: `${path} belongs to version control and is not changed as a file. Use the git tools.` });
}
