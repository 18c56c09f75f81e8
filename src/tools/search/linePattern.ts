/** A pattern as a search takes it, which goes line by line. */
export interface LinePattern {
  readonly pattern: string;
  /** True for the longest line of a text of several, which alone is looked for. */
  readonly isPart: boolean;
}

/**
 * The pattern of a search that goes line by line; null for one that no line can match: a regular
 * expression with a line break, or a text of nothing but line breaks and blanks.
 */
export function linePattern(pattern: string, isRegExp: boolean): LinePattern | null {
  if (isRegExp) return hasLineBreak(pattern) ? null : { pattern, isPart: false };
  if (!/[\r\n]/.test(pattern)) return { pattern, isPart: false };
  const lines = pattern.split(/[\r\n]+/).map((line) => line.trim());
  const longest = lines.reduce((a, b) => (b.length > a.length ? b : a));
  return longest === "" ? null : { pattern: longest, isPart: true };
}

/** True for a regular expression that was to match more than one line. */
export function spansLines(pattern: string): boolean {
  return /\[(?:\\s\\S|\\S\\s|\\d\\D|\\D\\d|\\w\\W|\\W\\w)\]|\(\?[a-z]*s[a-z]*[:)]/.test(pattern);
}

function hasLineBreak(expression: string): boolean {
  // A set may name the line break that it does not match, and an expression may be laid out.
  const outside = expression.replace(/\\[^n]|\[(?:\\.|[^\]\\])*\]/gs, "");
  return /\\n/.test(outside) || (/[\r\n]/.test(expression) && !/^\(\?[a-z]*x/.test(expression));
}
