/** The length of the longest run of backticks; 0 without any. */
export function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** A text in a code block with a fence that nothing in it can close. */
export function fenced(text: string, info = ""): string {
  const fence = "`".repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${fence}${info}\n${text}\n${fence}`;
}
