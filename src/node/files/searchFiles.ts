import * as path from "node:path";
import { err, type Result } from "../../base/result.ts";
import type { FileError, TextSearch } from "../../ports/workspace.ts";
import { type SearchAnswer, type SearchedText, searchTexts } from "../../tools/search/searchTexts.ts";
import { createPathPattern } from "./pathPattern.ts";
import { readTextFile } from "./readTextFile.ts";
import { walkFiles } from "./walkFiles.ts";

/** Searches the text files under `root`, a real path, in the order of their paths, without ripgrep. Skips symlinks, ignored and binary files. */
export async function searchFiles(root: string, query: TextSearch, signal: AbortSignal): Promise<Result<SearchAnswer, FileError>> {
  const found = await searchTexts(textsUnder(root, query.include, signal), query);
  return signal.aborted ? err({ code: "cancelled", path: "" }) : found;
}

async function* textsUnder(root: string, include: string | null, signal: AbortSignal): AsyncGenerator<SearchedText> {
  const included = include === null ? () => true : createPathPattern(include);
  for await (const file of walkFiles(root, signal)) {
    const text = included(file) ? await readTextFile(path.join(root, file), file, signal) : null;
    if (text?.ok) yield { text: text.value, path: async () => file };
  }
}
