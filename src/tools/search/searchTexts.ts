import { err, ok, type Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { FileError, SearchAnswer, TextMatch, TextSearch } from "../../ports/workspace.ts";

/** The most of a line that a regular expression sees, and the most that a match shows, in UTF-16 units. */
const MAX_SEARCHED = 1_000;
const MAX_SHOWN = 300;
/** The most places of a regular expression that can match in several ways. */
const MAX_CHOICES = 20;

/** A text to search. `path` is asked for only when it matches; null hides the text's matches. */
export interface SearchedText {
  readonly text: string;
  path(): Promise<string | null>;
}

/** Searches texts in their order. For hosts, files and expressions that ripgrep cannot search. */
export async function searchTexts(texts: AsyncIterable<SearchedText>, query: TextSearch): Promise<Result<SearchAnswer, FileError>> {
  const isMatch = compile(query);
  if (!isMatch.ok) return isMatch;
  const matches: TextMatch[] = [];
  for await (const { text, path } of texts) {
    const found = text.split(/\r\n|\n|\r/).flatMap((line, index) => (isMatch.value(line) ? [{ line, number: index + 1 }] : []));
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
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}… [${line.length} characters]`;
}

function compile({ pattern, isRegExp, caseSensitive }: TextSearch): Result<(line: string) => boolean, FileError> {
  if (pattern === "") return err({ code: "empty-pattern", path: "" });
  if (!isRegExp) {
    const fold = (text: string) => (caseSensitive ? text : text.toLowerCase());
    const wanted = fold(pattern);
    return ok((line) => fold(line).includes(wanted));
  }
  if (isTooComplex(pattern)) return err({ code: "complex-pattern", path: "" });
  try {
    const expression = new RegExp(pattern, caseSensitive ? "" : "i");
    return ok((line) => expression.test(line.slice(0, MAX_SEARCHED)));
  } catch (error) {
    return err({ code: "invalid-pattern", path: "", detail: thrownText(error) });
  }
}

/** Whether an expression may backtrack exponentially, which nothing can interrupt: it repeats a varying group, or has too many choices. */
function isTooComplex(pattern: string): boolean {
  const tokens = pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|[*+]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g) ?? [];
  const groups: { varies: boolean }[] = [];
  let closed = false;
  let choices = 0;
  for (const token of tokens) {
    const repeats = /^[*+]|^\{\d/.test(token);
    if (repeats && closed) return true;
    const varies = repeats || token === "?" || token === "|" || /^\\[1-9k]/.test(token);
    if (varies) choices += 1;
    closed = token === ")" && groups.pop()?.varies === true;
    const group = groups.at(-1);
    if (group && (varies || closed)) group.varies = true;
    if (token.startsWith("(")) groups.push({ varies: false });
  }
  return choices > MAX_CHOICES;
}
