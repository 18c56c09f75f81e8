import type { Localize } from "../localize.ts";

/**
 * Control characters, invisible characters, space look-alikes, and characters that reverse the text
 * direction.
 */
const HIDDEN = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/u;
/** An emoji made of several characters is one visible sign. The flag `v` is newer than ES2022. */
const HIDDEN_OR_EMOJI = new RegExp(String.raw`(\p{RGI_Emoji})|${HIDDEN.source}`, "gv");
/** What may be hidden or an emoji, which can begin with a digit: looking closer costs much more. */
const UNUSUAL = /[#*0-9]?[^\n\t -~]+/g;

/** Shows hidden characters as code points, so that the user sees the real content. */
export function visibleText(text: string): string {
  return text.replace(UNUSUAL, (part) =>
    HIDDEN.test(part)
      ? part.replace(HIDDEN_OR_EMOJI, (found, emoji?: string) => emoji ?? codePoint(found))
      : part,
  );
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
