import { runInNewContext } from "node:vm";
import { err, ok, type Result } from "../base/result.ts";
import type { TextSearch } from "../ports/workspace.ts";

/** Finds the 0-based numbers of the lines that match; an error is a sentence about the pattern. */
export type LineMatcher = (lines: readonly string[]) => Result<readonly number[], string>;

const TOTAL_MS = 2000;
const LONGEST_LINE = 10_000;

/**
 * Compiles a search. Regular expressions come from a model and may backtrack without end, so they run where the engine can
 * interrupt them: all calls of one matcher together get two seconds, and only the first 10,000 characters of a line are looked at.
 */
export function createLineMatcher(search: Pick<TextSearch, "pattern" | "isRegExp" | "caseSensitive">): Result<LineMatcher, string> {
  if (search.pattern === "") return err("The search pattern is empty.");
  if (!search.isRegExp) {
    const fold = (text: string) => (search.caseSensitive ? text : text.toLowerCase());
    const wanted = fold(search.pattern);
    return ok((lines) => ok(lines.flatMap((line, index) => (fold(line).includes(wanted) ? [index] : []))));
  }
  const flags = search.caseSensitive ? "u" : "iu";
  const source = compiles(search.pattern, flags)
    ? { pattern: search.pattern, flags }
    : { pattern: search.pattern, flags: flags.replace("u", "") };
  try {
    new RegExp(source.pattern, source.flags);
  } catch (error) {
    return err(`The search pattern is not a valid regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
  let left = TOTAL_MS;
  return ok((lines) => {
    const slow = err(
      "The regular expression takes too long on this workspace. Use a simpler one, or plain text, or narrow the files down.",
    );
    if (left <= 0) return slow;
    const found: number[] = [];
    const started = performance.now();
    const sandbox = { ...source, lines, found: (index: number) => found.push(index), longest: LONGEST_LINE };
    try {
      runInNewContext(MATCH_LINES, sandbox, { timeout: Math.ceil(left) });
    } catch {
      return slow;
    } finally {
      left -= performance.now() - started;
    }
    return ok(found);
  });
}

const MATCH_LINES = `{
  const expression = new RegExp(pattern, flags);
  for (let index = 0; index < lines.length; index++) if (expression.test(lines[index].slice(0, longest))) found(index);
}`;

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
