/**
 * Control characters, invisible characters, space look-alikes, and characters that reverse the text
 * direction.
 */
const HIDDEN = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Shows hidden characters as code points, so that the user sees the real content. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, codePoint);
}

/** Like {@link visibleText} for a single line: line breaks and tabs also count as hidden. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, codePoint);
}

function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
