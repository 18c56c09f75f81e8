/** Control characters, invisible ones, look-alikes of a space, and those that reverse the text direction. */
const HIDDEN = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Shows hidden characters as their code points: what the user reads is what the text is. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, codePoint);
}

/** Like {@link visibleText} for one line: line ends and tabs count as hidden. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, codePoint);
}

function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
