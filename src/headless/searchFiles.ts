import * as path from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { searchCancelled } from "../ports/fileErrors.ts";
import type { FileError, TextMatch, TextSearch } from "../ports/workspace.ts";
import { createLineMatcher } from "./lineMatcher.ts";
import { createPathPattern } from "./pathPattern.ts";
import { readTextFile } from "./readTextFile.ts";
import { shownLine } from "./shownLine.ts";
import { walkFiles } from "./walkFiles.ts";

/** What a search found; `truncated` says that the limit cut it. */
export interface SearchAnswer {
  readonly matches: readonly TextMatch[];
  readonly truncated: boolean;
}

/** Searches the text files under `root`, which has no symlinks left, in the order of their paths. Symlinks, ignored and binary files are passed over. */
export async function searchFiles(root: string, query: TextSearch, signal: AbortSignal): Promise<Result<SearchAnswer, FileError>> {
  const matcher = createLineMatcher(query);
  if (!matcher.ok) return err({ kind: "invalid-pattern", message: matcher.error });
  const included = query.include === null ? () => true : createPathPattern(query.include);
  const matches: TextMatch[] = [];
  for await (const file of walkFiles(root, signal)) {
    if (!included(file)) continue;
    const text = await readTextFile(path.join(root, file), file, signal);
    if (!text.ok) continue;
    const lines = text.value.split(/\r\n|\n|\r/);
    const found = matcher.value(lines);
    if (!found.ok) return err({ kind: "invalid-pattern", message: found.error });
    for (const index of found.value) {
      if (matches.length >= query.limit) return ok({ matches, truncated: true });
      matches.push({ path: file, line: index + 1, text: shownLine(lines[index] ?? "") });
    }
  }
  if (signal.aborted) return err(searchCancelled());
  return ok({ matches, truncated: false });
}
