/** The spaces and tabs a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/**
 * Moves a body to its target's indent: when its smallest indent is another one, all its lines are shifted by the difference; blank
 * lines stay as they are, and so does a body that already begins at the target's indent.
 */
export function shiftIndent(lines: readonly string[], target: string): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const first = filled[0];
  if (first === undefined || indentOf(first) === target) return [...lines];
  const smallest = filled.map(indentOf).reduce((least, indent) => (indent.length < least.length ? indent : least));
  if (smallest === target) return [...lines];
  return lines.map((line) => (line.trim() === "" ? line : target + line.slice(smallest.length)));
}

/** One level of indent as the text uses it: a tab, or its smallest step of spaces, `fallback` where nothing is indented. */
export function indentUnit(text: string, fallback: string): string {
  let smallest = Number.POSITIVE_INFINITY;
  for (const match of text.matchAll(/^(\t| {2,})(?=[^\s*])/gm)) {
    const indent = match[1] ?? "";
    if (indent === "\t") return "\t";
    smallest = Math.min(smallest, indent.length);
    if (smallest === 2) break;
  }
  return Number.isFinite(smallest) ? " ".repeat(smallest) : fallback;
}
