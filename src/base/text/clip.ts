/** The first `limit` UTF-16 units of a text at most, without half of a character at the end. */
export function firstPart(text: string, limit: number): string {
  return text.slice(0, wholeBefore(text, limit));
}

/** The last `limit` UTF-16 units of a text at most, without half of a character at the beginning. */
export function lastPart(text: string, limit: number): string {
  const start = Math.max(0, text.length - limit);
  return text.slice(isInside(text, start) ? start + 1 : start);
}

/** `end`, or the offset before it where a cut at `end` would split a character. */
export function wholeBefore(text: string, end: number): number {
  return isInside(text, end) ? end - 1 : end;
}

function isInside(text: string, at: number): boolean {
  return isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Joins characters that were split between the pieces of a stream. */
export class WholeCharacters {
  private held = "";

  /** The pieces so far that were not given yet, but for the first half of a character at the end. */
  push(piece: string): string {
    if (piece === "") return "";
    const text = this.held + piece;
    this.held = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
    return this.held === "" ? text : text.slice(0, -1);
  }

  /** What is left at the end of the stream. */
  flush(): string {
    const { held } = this;
    this.held = "";
    return held;
  }
}

/** The start of a text on one line, at most `limit` characters, with `…` if clipped. */
export function firstWords(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > limit || text.length > limit * 4
    ? `${firstPart(line, limit).trimEnd()}…`
    : line;
}
