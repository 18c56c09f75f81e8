import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import type { FileError, SearchAnswer, TextMatch, TextSearch } from "../../ports/workspace.ts";
import { linearPattern } from "./linearPattern.ts";

/** The most that a match shows, in UTF-16 units. */
const MAX_SHOWN = 300;

/** A text to search. `path` is asked for only when it matches; null hides the text's matches. */
export interface SearchedText {
  readonly text: string;
  path(): Promise<string | null>;
}

/** Searches texts in their order. For hosts and files that ripgrep cannot search. */
export async function searchTexts(
  texts: AsyncIterable<SearchedText>,
  query: TextSearch,
): Promise<Result<SearchAnswer, FileError>> {
  const isMatch = compile(query);
  if (!isMatch.ok) return isMatch;
  const matches: TextMatch[] = [];
  for await (const { text, path } of texts) {
    const found = text
      .split(/\r\n|\n|\r/)
      .flatMap((line, index) => (isMatch.value(line) ? [{ line, number: index + 1 }] : []));
    const known = found.length > 0 ? await path() : null;
    if (known === null) continue;
    for (const { line, number } of found) {
      if (matches.length >= query.limit) return ok({ matches, truncated: true });
      matches.push({ path: known, line: number, text: clipMatch(line) });
    }
  }
  return ok({ matches, truncated: false });
}

/** A matching line as it is shown. */
export function clipMatch(line: string): string {
  return line.length <= MAX_SHOWN
    ? line
    : `${firstPart(line, MAX_SHOWN)}… [${line.length} characters]`;
}

function compile({
  pattern,
  isRegExp,
  caseSensitive,
}: TextSearch): Result<(line: string) => boolean, FileError> {
  if (pattern === "") return err({ code: "empty-pattern", path: "" });
  if (!isRegExp) {
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    const wanted = fold(pattern);
    return ok((line) => fold(line).includes(wanted));
  }
  const matches = linearPattern(pattern, caseSensitive);
  return matches.ok ? matches : err({ path: "", ...matches.error });
}
