import { lineNumberAt } from "../../base/text/lines.ts";
import type { OffsetRange } from "../../base/text/scan.ts";

/** Files whose blocks follow Python's rules of indentation. */
export const PYTHON_LINES = /\.(?:pyi?|pyx|pxd|pxi)$/i;

/** One open block: its indent in columns and in characters, and what its last statement is. */
interface Level {
  readonly column: number;
  readonly width: number;
  /** The keyword of a compound statement; null for another one. */
  head: string | null;
}

/** Which heads each branch may follow. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  elif: ["if", "elif"],
  else: ["if", "elif", "for", "while", "except"],
  except: ["try", "except"],
  finally: ["try", "except", "else"],
};
const COMPOUND = /^(?:async[ \t]+)?(if|elif|else|for|while|try|except|finally|with|def|class)\b/;
/** Begins a statement wherever it stands first, so that an open bracket above was never closed. */
const STATEMENT =
  /^[ \t]*(?:(?:async[ \t]+)?def|class|import|return|while|with|try|except|finally|raise|pass|del|assert|global)\b/;
/** Begins an element, so that a string above it began in a part of the file that is not there. */
const HEADER = /^[ \t]*(?:(?:async[ \t]+)?def \w+\(|class \w+[(:])/;
/** Words that may stand right after a string. */
const AFTER_STRING = /^(?:if|else|for|in|is|and|or|not|async)\b/;
const TAB = 8;

/**
 * The lines, 0-based, at which Python's tokenizer would stop: an indent that nothing opens, none
 * where a block must begin, one that no outer block has, a branch without its beginning, a bracket
 * or string without its end, and a word right after a string. It looks at logical lines, so that
 * strings, brackets and `\` may hold anything. A grammar repairs all of these silently.
 */
export function pythonErrors(text: string, recovers = false): readonly number[] {
  const errors: number[] = [];
  const levels: Level[] = [{ column: 0, width: 0, head: null }];
  const scan = new LineScan();
  let opens = false;
  let last = 0;
  const top = () => levels.at(-1) ?? { column: 0, width: 0, head: null };
  const leave = (line: number) => {
    if (levels.pop()?.head === "try") errors.push(line);
  };
  for (const [line, content] of text.split(/\r\n|\n|\r/).entries()) {
    if (STATEMENT.test(content) && scan.closeBrackets()) errors.push(line);
    if (recovers && HEADER.test(content) && scan.closeString()) errors.push(line);
    if (!scan.isInside) {
      const indent = /^[ \t\f]*/.exec(content)?.[0] ?? "";
      const code = content.slice(indent.length);
      if (code === "" || code.startsWith("#")) continue;
      const { column, width } = measured(indent);
      last = line;
      const isMixed = (level: Level) =>
        Math.sign(column - level.column) !== Math.sign(width - level.width);
      if (column > top().column) {
        if (!opens || isMixed(top())) errors.push(line);
        levels.push({ column, width, head: null });
      } else {
        while (column < top().column) leave(line);
        if (opens || column !== top().column || isMixed(top())) errors.push(line);
        if (column !== top().column) levels.push({ column, width, head: null });
      }
      const level = top();
      const head = COMPOUND.exec(code)?.[1] ?? null;
      const follows = head === null ? undefined : FOLLOWS[head];
      if (follows ? !follows.includes(level.head ?? "") : level.head === "try") errors.push(line);
      level.head = head;
    }
    if (!scan.read(content)) errors.push(line);
    if (!scan.isInside) opens = scan.endsWithColon;
  }
  if (opens || scan.isInside) errors.push(last);
  while (levels.length > 0) leave(last);
  return errors;
}

/** The blocks, by ranges in `after`, that add such errors or stand above one; all if none does. */
export function addedPythonErrors(
  before: string,
  after: string,
  ranges: ReadonlyMap<string, OffsetRange>,
): ReadonlySet<string> {
  // A broken file may have lost its place in a string, so it is read in both ways.
  const readings = pythonErrors(before).length === 0 ? [false] : [false, true];
  const errors = readings
    .map((recovers) => added(before, after, recovers))
    .find((lines) => lines.length > 0);
  if (!errors) return new Set();
  const lines = after.split(/\r\n|\n|\r/);
  const breaking = [...ranges].flatMap(([blockId, { start, end }]) => {
    const first = lineNumberAt(after, start) - 1;
    // With the next line that has text: it is the one that finds no block to belong to.
    let last = lineNumberAt(after, end) - 1;
    while (last < lines.length - 1 && lines[last]?.trim() === "") last++;
    return errors.some((line) => first <= line && line <= last) ? [blockId] : [];
  });
  return new Set(breaking.length > 0 ? breaking : ranges.keys());
}

/** The errors of a text where it has more than it had. */
function added(before: string, after: string, recovers: boolean): readonly number[] {
  const errors = pythonErrors(after, recovers);
  return errors.length > pythonErrors(before, recovers).length ? errors : [];
}

/** An indent as Python measures it: in columns with tabs at every eighth, and in characters. */
function measured(indent: string): { readonly column: number; readonly width: number } {
  let [column, width] = [0, 0];
  for (const character of indent) {
    if (character === "\f") [column, width] = [0, 0];
    else {
      column = character === "\t" ? (Math.floor(column / TAB) + 1) * TAB : column + 1;
      width++;
    }
  }
  return { column, width };
}

const TOKEN = /#.*|"""|'''|["']|[()[\]{}]|\\$|[^\s#"'()[\]{}\\]+|\\/g;

/** Reads physical lines and knows whether the next one goes on with the statement. */
class LineScan {
  private depth = 0;
  /** The quotes that end the string over several lines; null outside of one. */
  private quotes: string | null = null;
  private isFormatted = false;
  private isContinued = false;
  private lastToken = "";

  /** True where the next line does not begin a statement. */
  get isInside(): boolean {
    return this.depth > 0 || this.quotes !== null || this.isContinued;
  }

  get endsWithColon(): boolean {
    return this.lastToken.endsWith(":");
  }

  /** A statement begins: brackets open above it were left so by mistake. True for some. */
  closeBrackets(): boolean {
    if (this.quotes !== null || this.isContinued || this.depth === 0) return false;
    this.depth = 0;
    return true;
  }

  /** The same for a string. */
  closeString(): boolean {
    const wasOpen = this.quotes !== null;
    this.quotes = null;
    return wasOpen;
  }

  /** Takes a line. False for a stray closing bracket, or a word right after a string. */
  read(line: string): boolean {
    if (!this.isInside) this.lastToken = "";
    this.isContinued = false;
    let isWhole = true;
    let at = 0;
    while (at < line.length) {
      if (this.quotes !== null) {
        const end = endOfString(line, at, this.quotes);
        if (end < 0) {
          // A plain string ends with its line unless a backslash goes on.
          if (this.quotes.length === 1 && !/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) this.quotes = null;
          return isWhole;
        }
        this.quotes = null;
        at = end;
        // Inside of a formatted string, its own quotes may begin others.
        if (!this.isFormatted && isWordAfterString(line.slice(at))) isWhole = false;
        continue;
      }
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(line);
      if (!token || token[0].startsWith("#")) return isWhole;
      at = token.index + token[0].length;
      if (!this.take(token[0], at === line.length)) isWhole = false;
    }
    return isWhole;
  }

  /** False for a closing bracket that nothing opened. */
  private take(token: string, endsLine: boolean): boolean {
    if (token === "\\" && endsLine) {
      this.isContinued = true;
      return true;
    }
    const isClosing = /^[)\]}]$/.test(token);
    const isWhole = !isClosing || this.depth > 0;
    if (/^["']/.test(token)) {
      this.quotes = token;
      this.isFormatted = /^[rbRB]?[ft][rbRB]?$/i.test(this.lastToken);
    } else if (/^[([{]$/.test(token)) this.depth++;
    else if (isClosing) this.depth = Math.max(0, this.depth - 1);
    this.lastToken = token;
    return isWhole;
  }
}

/** True for a word right after a string that is no operator and no prefix of a string. */
function isWordAfterString(rest: string): boolean {
  return /^\w/.test(rest) && !AFTER_STRING.test(rest) && !/^[A-Za-z]{1,2}["']/.test(rest);
}

/** Where a string goes on behind its closing quotes; -1 where they are not in the line. */
function endOfString(line: string, from: number, quotes: string): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line.startsWith(quotes, at)) return at + quotes.length;
  }
  return -1;
}
