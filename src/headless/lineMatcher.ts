import { runInNewContext } from "node:vm";
import { linesWithText } from "../base/linesWithText.ts";
import { err, ok } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import type { CompileMatcher } from "../ports/lineMatcher.ts";

const TOTAL_MS = 2000;
const LONGEST_LINE = 10_000;

/**
 * Compiles a search. Regular expressions come from a model and may backtrack without end, so they run where the engine can
 * interrupt them: all calls of one matcher together get two seconds, and only the first 10,000 characters of a line are looked at.
 */
export const createLineMatcher: CompileMatcher = (search) => {
  if (search.pattern === "") return err("The search pattern is empty.");
  if (!search.isRegExp) return ok((lines) => ok(linesWithText(lines, search.pattern, search.caseSensitive)));
  const flags = search.caseSensitive ? "u" : "iu";
  const source = compiles(search.pattern, flags)
    ? { pattern: search.pattern, flags }
    : { pattern: search.pattern, flags: flags.replace("u", "") };
  try {
    new RegExp(source.pattern, source.flags);
  } catch (error) {
    return err(`The search pattern is not a valid regular expression: ${sentence(error)}`);
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
};

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
