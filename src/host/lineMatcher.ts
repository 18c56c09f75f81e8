import { linesWithText } from "../base/linesWithText.ts";
import { err, ok } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import type { CompileMatcher } from "../ports/lineMatcher.ts";

const LONGEST_LINE = 2000;

/**
 * Compiles a search for hosts in which a running regular expression cannot be interrupted (the web worker): expressions that
 * repeat a repetition, which may backtrack without end, are refused, and only the first 2,000 characters of a line are looked at.
 */
export const compileCautiously: CompileMatcher = (search) => {
  if (search.pattern === "") return err("The search pattern is empty.");
  if (!search.isRegExp) return ok((lines) => ok(linesWithText(lines, search.pattern, search.caseSensitive)));
  if (repeatsRepetition(search.pattern)) {
    return err(
      "The regular expression repeats a group that itself repeats or has alternatives, which can take forever. Use a simpler one.",
    );
  }
  try {
    const expression = new RegExp(search.pattern, search.caseSensitive ? "" : "i");
    return ok((lines) => ok(lines.flatMap((line, index) => (expression.test(line.slice(0, LONGEST_LINE)) ? [index] : []))));
  } catch (error) {
    return err(`The search pattern is not a valid regular expression: ${sentence(error)}`);
  }
};

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
