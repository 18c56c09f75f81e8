import { linesWithText } from "../base/linesWithText.ts";
import { err, ok } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import type { CompileMatcher } from "../ports/lineMatcher.ts";

const LONGEST_LINE = 2000;
/** The most places where an expression can continue in more than one way. */
const MAX_CHOICES = 30;
/** Time limits for one line and for all of them, and the clock's resolution, in milliseconds. */
const LINE_MS = 300;
const TOTAL_MS = 3000;
const TICK_MS = 0.1;
const SLOW = "The regular expression takes too long in this workspace. Use a simpler one or plain text, or search fewer files.";

/**
 * Compiles a search for the web worker, where a running regular expression cannot be interrupted. Refuses expressions that may backtrack
 * exponentially, stops others before they take long, and searches only the first 2,000 characters of a line.
 */
export const compileCautiously: CompileMatcher = (search) => {
  if (search.pattern === "") return err("The search pattern is empty.");
  if (!search.isRegExp) return ok((lines) => ok(linesWithText(lines, search.pattern, search.caseSensitive)));
  const choices = countChoices(search.pattern);
  if (choices === null || choices > MAX_CHOICES) {
    return err("The regular expression repeats too much, or repeats a group that repeats or has alternatives. Use a simpler one.");
  }
  try {
    const expression = new RegExp(search.pattern, search.caseSensitive ? "" : "i");
    let left = TOTAL_MS;
    return ok((lines) => {
      const found: number[] = [];
      const started = performance.now();
      for (const [index, line] of lines.entries()) {
        const matches = matchWatched(expression, choices, line.slice(0, LONGEST_LINE));
        if (matches === null || performance.now() - started > left) return err(SLOW);
        if (matches) found.push(index);
      }
      left -= performance.now() - started;
      return ok(found);
    });
  } catch (error) {
    return err(`The search pattern is not a valid regular expression: ${sentence(error)}`);
  }
};

/**
 * Whether a line matches; null when it would take too long. Tries longer and longer beginnings of the line: `more` characters multiply the
 * ways to match by at most `waysWith`, so the time of one beginning bounds the time of the next.
 */
function matchWatched(expression: RegExp, choices: number, line: string): boolean | null {
  let tried = 0;
  const timed = (): number => {
    const started = performance.now();
    matches = expression.test(line.slice(0, tried));
    return Math.max(TICK_MS, performance.now() - started);
  };
  let matches = false;
  let took = timed();
  while (tried < line.length) {
    // Measured again, since the whole host may have paused.
    if (took * waysWith(1, choices) > LINE_MS) took = Math.min(took, timed());
    let more = 0;
    while (tried + more < line.length && took * waysWith(more + 1, choices) <= LINE_MS) more++;
    if (more === 0) return null;
    tried += more;
    took = timed();
  }
  return matches;
}

/** The number of ways to divide `length` characters among `choices` repetitions and the rest. */
function waysWith(length: number, choices: number): number {
  let ways = 1;
  for (let choice = 1; choice <= choices; choice++) ways *= (length + choice) / choice;
  return ways;
}

/** Counts quantifiers and alternatives in groups. Null for exponential shapes: a quantified group with one of these or a back reference. */
function countChoices(pattern: string): number | null {
  const tokens =
    pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|\(|\)|\||[*+]\??|\?\??|\{\d+(?:,\d*)?\}\??|[\s\S]/g) ?? [];
  const groups: boolean[] = [];
  let closed: boolean | null = null;
  let choices = 0;
  for (const token of tokens) {
    const quantifier = /^(?:[*+]|\{)/.test(token) && token !== "{";
    if (quantifier && closed) return null;
    if (quantifier || /^\?\??$/.test(token) || (token === "|" && groups.length > 0)) choices++;
    closed = null;
    if (token.startsWith("(")) groups.push(false);
    else if (token === ")") {
      closed = groups.pop() ?? false;
      if (closed && groups.length > 0) groups[groups.length - 1] = true;
    } else if (quantifier || token === "?" || token === "|" || /^\\[1-9k]/.test(token)) {
      if (groups.length > 0) groups[groups.length - 1] = true;
    }
  }
  return choices;
}
