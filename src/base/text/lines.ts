/** What ends a line; "" for the last one. */
export type Eol = "\n" | "\r\n" | "\r" | "";

/** A line without its line break, and the line break. */
export interface TextLine {
  readonly text: string;
  readonly eol: Eol;
}

/** The lines of a text as the editor counts them: `"a\n"` has two, the second empty; "" has one. Joined again they give the text. */
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

/** Joins lines to the text they came from. */
export function joinLines(lines: readonly TextLine[]): string {
  let text = "";
  for (const line of lines) text += line.text + line.eol;
  return text;
}

/** How many lines the editor shows for a text; at least 1. */
export function countLines(text: string): number {
  let count = 1;
  for (const _ of text.matchAll(/\r\n|\n|\r/g)) count++;
  return count;
}

/** The lines of a text without the empty one that the editor shows after a final line break: `"a\n"` has one, and so has "". */
export function textLines(text: string): TextLine[] {
  const lines = splitLines(text);
  return lines.length > 1 && lines.at(-1)?.text === "" ? lines.slice(0, -1) : lines;
}

/** How many {@link textLines} there are: what a model is told. */
export function countTextLines(text: string): number {
  return Math.max(1, countLines(text) - (/[\r\n]$/.test(text) ? 1 : 0));
}

/** The 1-based line of an offset, as the editor counts lines. */
export function lineNumberAt(text: string, offset: number): number {
  return countLines(text.slice(0, offset));
}

/** Lines as the model is shown them: the 1-based number, a tab, the line's text; `from` is the first line's number. */
export function numberLines(lines: readonly TextLine[], from: number): string {
  return lines.map((line, index) => `${from + index}\t${line.text}`).join("\n");
}

/** The line break most lines end with, `"\n"` where two are equally frequent, null in a text of one line. */
export function dominantEol(lines: readonly TextLine[]): Exclude<Eol, ""> | null {
  const count = (wanted: Eol) => lines.filter(({ eol }) => eol === wanted).length;
  const [lf, crlf, cr] = [count("\n"), count("\r\n"), count("\r")];
  if (lf + crlf + cr === 0) return null;
  if (lf >= crlf && lf >= cr) return "\n";
  return crlf >= cr ? "\r\n" : "\r";
}
