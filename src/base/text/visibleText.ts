import type { Localize } from "../localize.ts";

/**
 * Control characters, invisible characters, space look-alikes, and characters that reverse the text
 * direction. An emoji made of several characters is one visible sign.
 */
const HIDDEN = [
  String.raw`(\p{RGI_Emoji})|[^\P{C}\n\t]|[^\P{Z} ]`,
  String.raw`\p{Default_Ignorable_Code_Point}|\u2800`,
].join("|");
/** The flag `v`, for emoji, is newer than the language that TypeScript checks for. */
const EACH_HIDDEN = new RegExp(HIDDEN, "gv");

/** Shows hidden characters as code points, so that the user sees the real content. */
export function visibleText(text: string): string {
  return text.replace(EACH_HIDDEN, (found, emoji?: string) => emoji ?? codePoint(found));
}

/** Like {@link visibleText} for a single line: line breaks and tabs also count as hidden. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]/g, codePoint);
}

/** Makes the facts of each sentence visible: a path or a name in a sentence is what it looks like. */
export function visibleFacts(localize: Localize): Localize {
  return (message, facts = {}) =>
    localize(
      message,
      Object.fromEntries(
        Object.entries(facts).map(([name, fact]) => [
          name,
          typeof fact === "string" ? visibleText(fact) : fact,
        ]),
      ),
    );
}

function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
