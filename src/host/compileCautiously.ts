import { linesWithText } from "../base/linesWithText.ts";
import { err, ok } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import type { CompileMatcher } from "../ports/lineMatcher.ts";

const LONGEST_LINE = 2000;
/** Places where an expression can go on in more than one way. */
const MAX_CHOICES = 30;
/** What one line, and all of them, may take in milliseconds, and what a clock may not show. */
const LINE_MS = 300;
const TOTAL_MS = 3000;
const TICK_MS = 0.1;
const SLOW = "The regular expression takes too long on this workspace. Use a simpler one, or plain text, or narrow the files down.";

/**
 * Compiles a search for hosts in which a running regular expression cannot be interrupted (the web worker): expressions that
 * repeat a repetition, which may backtrack without end, are refused, others given up before they take long, and only the first 2,000
 * characters of a line are looked at.
 */
export const compileCautiously: CompileMatcher = (search) => {
  if (search.pattern === "") return err("The search pattern is empty.");
  if (!search.isRegExp) return ok((lines) => ok(linesWithText(lines, search.pattern, search.caseSensitive)));
  const choices = countChoices(search.pattern);
  if (choices === null || choices > MAX_CHOICES) {
    return err("The regular expression repeats a group that itself repeats or has alternatives, or too much. Use a simpler one.");
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
 * Whether a line matches; null where it would take too long. More and more of the line is tried: `more` signs multiply the ways to
 * match its beginning by no more than `waysWith`, and how many those are shows in the time that the beginning took.
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
    // A pause of the whole host is no slowness of the expression's.
    if (took * waysWith(1, choices) > LINE_MS) took = Math.min(took, timed());
    let more = 0;
    while (tried + more < line.length && took * waysWith(more + 1, choices) <= LINE_MS) more++;
    if (more === 0) return null;
    tried += more;
    took = timed();
  }
  return matches;
}

/** In how many ways `length` signs can be shared out among `choices` repetitions and what is behind them. */
function waysWith(length: number, choices: number): number {
  let ways = 1;
  for (let choice = 1; choice <= choices; choice++) ways *= (length + choice) / choice;
  return ways;
}

/**
 * Counts the quantifiers, and the alternatives in groups. Null when a quantified group holds one, or a back reference: the shapes that
 * backtrack exponentially.
 */
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
