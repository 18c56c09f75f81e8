import { fileURLToPath } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileSnapshot, Workspace } from "../../ports/workspace.ts";
import { replaceFile } from "./replaceFile.ts";
import { errorCode } from "./systemError.ts";

/** Replaces a snapshot's text with an accepted one. The error is a sentence. */
export type FileApplier = (snapshot: FileSnapshot, text: string) => Promise<Result<null, string>>;

/** Writes files of `workspace` atomically, unless the file on disk differs from the snapshot. Creates missing folders. */
export function createFileApplier(workspace: Workspace): FileApplier {
  return async ({ file, exists, text: before }, text) => {
    const refusal = await workspace.writable(file);
    if (refusal) return err(refusal.message);
    const now = await workspace.read(file, new AbortController().signal);
    if (!now.ok && now.error.kind !== "not-found") return err(now.error.message);
    if (now.ok !== exists || (now.ok && now.value.text !== before)) return err(changed(file.path, exists, now.ok));
    try {
      await replaceFile(fileURLToPath(file.uri), text);
      return ok(null);
    } catch (error) {
      return err(`${file.path} could not be written (${errorCode(error) || String(error)}). It is as it was.`);
    }
  };
}

function changed(name: string, existed: boolean, exists: boolean): FileError["message"] {
  if (!existed) return `${name} was created meanwhile; it was left as it is.`;
  return exists ? `${name} changed meanwhile; it was left as it is.` : `${name} was deleted meanwhile; it was not written again.`;
}
