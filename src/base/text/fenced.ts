/** The length of the longest run of backticks, or 0. */
export function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Wraps a text in a code block with a fence long enough that its content cannot close it. */
export function fenced(text: string, info = ""): string {
  const fence = "`".repeat(Math.max(3, longestBacktickRun(text) + 1));
  return `${fence}${info}\n${text}\n${fence}`;
}
