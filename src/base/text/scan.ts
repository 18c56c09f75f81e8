/** Half-open range of UTF-16 offsets. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

function isBreak(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

function isBlankCharacter(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

function isSpace(character: string | undefined): boolean {
  return (
    isBlankCharacter(character) ||
    isBreak(character) ||
    character === "\f" ||
    character === "\uFEFF"
  );
}

/** Moves back from `offset` over whitespace and line breaks. */
export function skipSpaceBack(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && isSpace(text[at - 1])) at--;
  return at;
}

/** Moves forward from `offset` over whitespace and line breaks, at most to `end`. */
export function skipSpace(text: string, offset: number, end: number): number {
  let at = offset;
  while (at < end && isSpace(text[at])) at++;
  return at;
}

/** Moves forward from `offset` over spaces and tabs. */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (isBlankCharacter(text[at])) at++;
  return at;
}

/** Whether there are only spaces and tabs between two offsets. */
export function isBlank(text: string, start: number, end: number): boolean {
  return skipBlanks(text, start) >= end;
}

/** The start of the line that contains `offset`. */
export function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreak(text[at - 1])) at--;
  return at;
}

/** The end of the line that contains `offset`, before its line break. */
export function lineEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && !isBreak(text[at])) at++;
  return at;
}

/** The start of the line after the one that contains `offset`, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end + lineBreakAt(text, end).length;
}

/**
 * The end, before the line break, of the line preceding the one that starts at `start`. 0 for the
 * first line.
 */
export function previousLineEnd(text: string, start: number): number {
  return Math.max(0, start - (text[start - 1] === "\n" && text[start - 2] === "\r" ? 2 : 1));
}

/** The line break of the line that contains `offset`, or of the line before, or `fallback`. */
export function lineBreakNear(text: string, offset: number, fallback: string): string {
  const after = lineBreakAt(text, lineEnd(text, offset));
  if (after !== "") return after;
  const start = lineStart(text, offset);
  return start > 0 ? text.slice(previousLineEnd(text, start), start) : fallback;
}

/** The number of line breaks between two offsets. */
export function lineBreaksBetween(text: string, start: number, end: number): number {
  return text.slice(start, end).split(/\r\n|\n|\r/).length - 1;
}

/** The spaces and tabs before `offset`. Null if anything else precedes it on its line. */
export function indentAt(text: string, offset: number): string | null {
  let at = offset;
  while (at > 0 && isBlankCharacter(text[at - 1])) at--;
  return at === 0 || isBreak(text[at - 1]) || text[at - 1] === "\uFEFF"
    ? text.slice(at, offset)
    : null;
}

/** Whether the brackets among `brackets`, such as `(){}`, are balanced. */
export function isBalanced(text: string, brackets: string): boolean {
  let depth = 0;
  for (const character of text) {
    const index = brackets.indexOf(character);
    if (index >= 0 && index % 2 === 0) depth++;
    else if (index >= 0 && --depth < 0) return false;
  }
  return depth === 0;
}

function lineBreakAt(text: string, offset: number): string {
  if (text[offset] === "\r") return text[offset + 1] === "\n" ? "\r\n" : "\r";
  return text[offset] === "\n" ? "\n" : "";
}
