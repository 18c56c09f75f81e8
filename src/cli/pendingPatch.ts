import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gitPatch, type PatchedFile } from "../edits/review/gitPatch.ts";
import type { Reviewer } from "../ports/review.ts";
import type { FileRef } from "../ports/workspace.ts";

/** All that waits, as `git apply` reads it, and how many files that are. */
export async function pendingPatch(
  reviewer: Reviewer,
): Promise<{ readonly text: string; readonly files: number }> {
  const operations = reviewer.operations?.pending ?? [];
  const files: PatchedFile[] = [];
  for (const { file, text } of reviewer.allPending()) {
    const moved = operations.find((operation) => operation.file.uri === file.uri);
    files.push(await patched(file, { file: moved?.to ?? file, text }));
  }
  for (const { file, to } of operations) {
    if (reviewer.pending(file)) continue;
    const text = to && (await patchText(file));
    files.push(await patched(file, to && { file: to, text: text ?? "" }));
  }
  return { text: gitPatch(files), files: files.length };
}

async function patched(
  file: FileRef,
  after: { readonly file: FileRef; readonly text: string } | null,
): Promise<PatchedFile> {
  const text = await patchText(file);
  return {
    before: text === null ? null : { path: file.path, text },
    after: after && { path: after.file.path, text: after.text },
  };
}

async function patchText({ uri }: FileRef): Promise<string | null> {
  return readFile(fileURLToPath(uri), "utf8").catch(() => null);
}
