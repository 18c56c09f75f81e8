/** The spaces and tabs a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Shifts all lines so that the smallest indent is the target's; a body that begins there stays. */
export function shiftIndent(lines: readonly string[], target: string): string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const first = filled[0];
  if (first === undefined || indentOf(first) === target) return [...lines];
  const smallest = filled
    .map(indentOf)
    .reduce((least, indent) => (indent.length < least.length ? indent : least));
  if (smallest === target) return [...lines];
  return lines.map((line) => (line.trim() === "" ? line : target + line.slice(smallest.length)));
}

/**
 * One level of indent below a line indented by `outer`: tabs or spaces as in `outer`, or else as in
 * most lines; the most frequent step of spaces. `fallback` where nothing in the text is indented.
 */
export function indentUnit(text: string, outer: string, fallback: string): string {
  const steps = new Map<number, number>();
  let tabbed = 0;
  let above = 0;
  for (const [indent] of text.matchAll(/^[ \t]*(?=[^\s*])/gm)) {
    const isTabbed = indent.includes("\t");
    if (isTabbed) tabbed++;
    else if (indent.length > 1) tabbed--;
    const step = indent.length - above;
    if (step > 1 && !isTabbed) steps.set(step, (steps.get(step) ?? 0) + 1);
    above = isTabbed ? Number.POSITIVE_INFINITY : indent.length;
  }
  if (outer ? outer.includes("\t") : tabbed > 0) return "\t";
  const [[most] = [fallback.length]] = [...steps].sort(
    ([a, countA], [b, countB]) => countB - countA || a - b,
  );
  return " ".repeat(most);
}
