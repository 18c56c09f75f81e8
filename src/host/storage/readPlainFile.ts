import * as vscode from "vscode";
import { unfitFile } from "../../ports/eventLog.ts";
import { unlessMissing } from "../workspace/unlessMissing.ts";

/**
 * The bytes of a plain file of at most `maxBytes` in VS Code's file system; null where there is
 * none. Rejects with `unfitFile` for anything else, such as a pipe, which would never be read.
 */
export async function readPlainFile(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array | null> {
  const { fs } = vscode.workspace;
  const found = await unlessMissing(fs.stat(uri));
  if (!found) return null;
  const place = uri.toString(true);
  if (found.type !== vscode.FileType.File) throw unfitFile("not-a-file", place);
  if (found.size > maxBytes) throw unfitFile("too-large", place);
  try {
    return await unlessMissing(fs.readFile(uri));
  } catch (error) {
    const isDenied = error instanceof vscode.FileSystemError && error.code === "NoPermissions";
    throw isDenied ? unfitFile("no-access", place) : error;
  }
}
