import { err, type Result } from "../../base/result.ts";
import type { FileError, FileRef, Workspace } from "../../ports/workspace.ts";
import { isVersionControlPath } from "./protectedPath.ts";

/**
 * Resolves a path to change without review. Refuses version control, since a hook written there
 * would run with the next commit.
 */
export async function changeablePath(
  workspace: Workspace,
  path: string,
): Promise<Result<FileRef, FileError>> {
  if (!workspace.trusted) return err({ code: "untrusted", path });
  return editablePath(workspace, path);
}

/** Resolves a path that may be edited with review: any but those of version control. */
export async function editablePath(
  workspace: Workspace,
  path: string,
): Promise<Result<FileRef, FileError>> {
  const file = await workspace.resolve(path);
  if (!file.ok) return file;
  if (
    !file.value.versionControl &&
    !isVersionControlPath(decodeURIComponent(new URL(file.value.uri).pathname))
  )
    return file;
  return err({ code: "version-control", path });
}
