/** A line ending, or "" for the last line. */
export type Eol = "\n" | "\r\n" | "\r" | "";

/** A line and its line ending. */
export interface TextLine {
  readonly text: string;
  readonly eol: Eol;
}

/**
 * Splits a text into lines as the editor does. `"a\n"` has two lines, the second one empty, and ""
 * has one. Joining them restores the text.
 */
export function splitLines(text: string): TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    const eol = match[0] === "\r\n" ? "\r\n" : match[0] === "\n" ? "\n" : "\r";
    lines.push({ text: text.slice(start, match.index), eol });
    start = match.index + eol.length;
  }
  lines.push({ text: text.slice(start), eol: "" });
  return lines;
}

/** Joins lines into the original text. */
export function joinLines(lines: readonly TextLine[]): string {
  let text = "";
  for (const line of lines) text += line.text + line.eol;
  return text;
}

/** The number of lines that the editor shows, at least 1. */
export function countLines(text: string): number {
  let count = 1;
  for (const _ of text.matchAll(/\r\n|\n|\r/g)) count++;
  return count;
}

/**
 * Like {@link splitLines}, but without the empty line after a final line break: `"a\n"` has one
 * line, and so has "".
 */
export function textLines(text: string): TextLine[] {
  const lines = splitLines(text);
  return lines.length > 1 && lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

/** The number of {@link textLines}, which is the line count that models see. */
export function countTextLines(text: string): number {
  return Math.max(1, countLines(text) - (/[\r\n]$/.test(text) ? 1 : 0));
}

/** The 1-based line of an offset, counted as in the editor. */
export function lineNumberAt(text: string, offset: number): number {
  return countLines(text.slice(0, offset));
}

/**
 * Formats lines for the model: 1-based number, tab, text. `from` is the number of the first line.
 */
export function numberLines(lines: readonly TextLine[], from: number): string {
  return lines.map((line, index) => `${from + index}\t${line.text}`).join("\n");
}

/** The most frequent line ending, or `"\n"` on a tie. Null if the text has only one line. */
export function dominantEol(lines: readonly TextLine[]): Exclude<Eol, ""> | null {
  const count = (wanted: Eol) => lines.filter(({ eol }) => eol === wanted).length;
  const [lf, crlf, cr] = [count("\n"), count("\r\n"), count("\r")];
  if (lf + crlf + cr === 0) return null;
  if (lf >= crlf && lf >= cr) return "\n";
  return crlf >= cr ? "\r\n" : "\r";
}

/** A text with the line ends that most lines of the one it replaces have, also lone CRs. */
export function withLineEndsOf(old: string, text: string): string {
  const lineEnd = dominantEol(splitLines(old));
  return lineEnd === null ? text : text.replace(/\r\n|\n|\r/g, lineEnd);
}
