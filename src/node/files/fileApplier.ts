import { fileURLToPath } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileSnapshot, Workspace } from "../../ports/workspace.ts";
import { replaceFile } from "./replaceFile.ts";
import { writeError } from "./systemError.ts";

/** Replaces the text of a snapshot with the accepted text. */
type FileApplier = (snapshot: FileSnapshot, text: string) => Promise<Result<null, FileError>>;

/**
 * Writes files of `workspace` atomically. Fails if the file on disk differs from the snapshot.
 * Creates missing folders.
 */
export function createFileApplier(workspace: Workspace): FileApplier {
  return async ({ file, exists, text: before }, text) => {
    const refusal = await workspace.writable(file);
    if (refusal) return err(refusal);
    const [root, again] = [await workspace.resolve("."), await workspace.resolve(file.path)];
    if (!root.ok) return err(root.error);
    if (!again.ok) return err(again.error);
    if (again.value.uri !== file.uri) return err({ code: "moved-meanwhile", path: file.path });
    const now = await workspace.read(file, new AbortController().signal);
    if (!now.ok && now.error.code !== "not-found") return err(now.error);
    if (now.ok !== exists || (now.ok && now.value.text !== before))
      return err({ code: changeOf(exists, now.ok), path: file.path });
    try {
      await replaceFile(fileURLToPath(root.value.uri), fileURLToPath(file.uri), text);
      return ok(null);
    } catch (error) {
      return err(writeError(error, file.path));
    }
  };
}

function changeOf(existed: boolean, exists: boolean): FileError["code"] {
  if (!existed) return "created-meanwhile";
  return exists ? "changed-meanwhile" : "deleted-meanwhile";
}
