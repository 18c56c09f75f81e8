/** The 0-based numbers of the lines that hold `text`. */
export function linesWithText(lines: readonly string[], text: string, caseSensitive: boolean): readonly number[] {
  const fold = (value: string) => (caseSensitive ? value : value.toLowerCase());
  const wanted = fold(text);
  return lines.flatMap((line, index) => (fold(line).includes(wanted) ? [index] : []));
}
