import { err, ok, type Result } from "../base/result.ts";
import type { TextSearch } from "../ports/workspace.ts";

/** Finds the 0-based numbers of the lines that match; an error is a sentence about the pattern. */
export type LineMatcher = (lines: readonly string[]) => Result<readonly number[], string>;

/** Compiles a search; the error is a sentence about the pattern. */
export type CompileMatcher = (search: Pick<TextSearch, "pattern" | "isRegExp" | "caseSensitive">) => Result<LineMatcher, string>;

const LONGEST_LINE = 2000;

/**
 * Compiles a search for hosts in which a running regular expression cannot be interrupted (the web worker): expressions that
 * repeat a repetition, which may backtrack without end, are refused, and only the first 2,000 characters of a line are looked at.
 */
export const compileCautiously: CompileMatcher = (search) => {
  if (search.pattern === "") return err("The search pattern is empty.");
  if (!search.isRegExp) {
    const fold = (text: string) => (search.caseSensitive ? text : text.toLowerCase());
    const wanted = fold(search.pattern);
    return ok((lines) => ok(matching(lines, (line) => fold(line).includes(wanted))));
  }
  if (repeatsRepetition(search.pattern)) {
    return err(
      "The regular expression repeats a group that itself repeats or has alternatives, which can take forever. Use a simpler one.",
    );
  }
  try {
    const expression = new RegExp(search.pattern, search.caseSensitive ? "" : "i");
    return ok((lines) => ok(matching(lines, (line) => expression.test(line.slice(0, LONGEST_LINE)))));
  } catch (error) {
    return err(`The search pattern is not a valid regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
};

function matching(lines: readonly string[], test: (line: string) => boolean): readonly number[] {
  return lines.flatMap((line, index) => (test(line) ? [index] : []));
}

/** True when a quantified group holds a quantifier, an alternative or a back reference: the shapes that backtrack exponentially. */
function repeatsRepetition(pattern: string): boolean {
  const tokens =
    pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|\(|\)|\||[*+]\??|\?\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g) ?? [];
  const groups: boolean[] = [];
  let closed: boolean | null = null;
  for (const token of tokens) {
    const quantifier = /^(?:[*+]|\{)/.test(token) && token !== "{";
    if (quantifier && closed) return true;
    closed = null;
    if (token.startsWith("(")) groups.push(false);
    else if (token === ")") {
      closed = groups.pop() ?? false;
      if (closed && groups.length > 0) groups[groups.length - 1] = true;
    } else if (quantifier || token === "?" || token === "|" || /^\\[1-9k]/.test(token)) {
      if (groups.length > 0) groups[groups.length - 1] = true;
    }
  }
  return false;
}
