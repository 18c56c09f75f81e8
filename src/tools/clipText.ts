/** Cuts `text` to at most `limit` UTF-16 units at the end of a line where there is one, and says so in a last line. */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const lineEnd = text.lastIndexOf("\n", limit);
  const cut = lineEnd > limit / 2 ? lineEnd : limit;
  return `${text.slice(0, cut)}\n[Cut off: ${cut} of ${text.length} characters shown. Ask for less, or for the part that is missing.]`;
}
