/**
 * True when nothing but white space and whole comments follows `offset` on its line. `commentEndAt` answers the end of the comment that
 * begins at an offset, and the offset itself where none does. A comment that goes on below does not end the line.
 */
export function endsLine(text: string, offset: number, commentEndAt: (offset: number) => number): boolean {
  let at = skipBlanks(text, offset);
  for (;;) {
    const end = commentEndAt(at);
    if (end <= at || /[\r\n]/.test(text.slice(at, end))) break;
    at = skipBlanks(text, end);
  }
  return at === text.length || text[at] === "\n" || text[at] === "\r";
}

function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}
