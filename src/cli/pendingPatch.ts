import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gitPatch, type PatchedFile } from "../edits/review/gitPatch.ts";
import { isExecutable } from "../node/files/fileMode.ts";
import { readPlainText } from "../node/processes/readPlain.ts";
import type { Reviewer } from "../ports/review.ts";
import type { FileRef } from "../ports/workspace.ts";
import { changeRefusal } from "../ports/workspaceFiles.ts";

/** What waits for a decision, as a patch. */
export interface PendingPatch {
  /** As `git apply` reads it. */
  readonly text: string;
  /** How many files it changes. */
  readonly files: number;
  /** The protected files, and those that may hold keys, that it changes, moves or creates. */
  readonly marked: readonly FileRef[];
}

/** Makes a patch of all that waits. */
export async function pendingPatch(reviewer: Reviewer): Promise<PendingPatch> {
  const operations = reviewer.operations?.pending ?? [];
  const files: PatchedFile[] = [];
  const places = new Map<string, FileRef>();
  for (const { file } of reviewer.allPending()) places.set(file.uri, file);
  for (const { file, to } of operations)
    for (const place of to ? [file, to] : [file]) places.set(place.uri, place);
  for (const { file, text } of reviewer.allPending()) {
    const found = operations.find((operation) => operation.file.uri === file.uri);
    files.push(await patched(file, { file: found?.to ?? file, text }, found?.executable));
  }
  for (const { file, to, executable } of operations) {
    if (reviewer.pending(file)) continue;
    const text = to && (await patchText(file));
    files.push(await patched(file, to && { file: to, text: text ?? "" }, executable));
  }
  const marked = [...places.values()].filter((file) => changeRefusal(file, false) !== null);
  return { text: gitPatch(files), files: files.length, marked };
}

async function patched(
  file: FileRef,
  after: { readonly file: FileRef; readonly text: string } | null,
  executable?: boolean,
): Promise<PatchedFile> {
  const text = await patchText(file);
  const stats = await stat(fileURLToPath(file.uri)).catch(() => null);
  const was = stats !== null && isExecutable(stats.mode);
  return {
    before: text === null ? null : { path: file.path, text, executable: was },
    after: after && { path: after.file.path, text: after.text, executable: executable ?? was },
  };
}

async function patchText({ uri }: FileRef): Promise<string | null> {
  return readPlainText(fileURLToPath(uri));
}
