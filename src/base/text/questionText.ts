import type { Localize } from "../localize.ts";
import { visibleText } from "./visibleText.ts";

/** The most lines and characters shown at once, at each end of the text. */
const LINES = 12;
const CHARACTERS = 1_200;

/** A long text in three parts. */
export interface TextEnds {
  readonly beginning: string;
  /** The part between them, or "" if the whole text is shown. */
  readonly middle: string;
  readonly end: string;
}

/**
 * Longer runs of blank lines or spaces are shown as a count, so they cannot push text off the
 * screen.
 */
const BLANK_LINES = /\n(?:[ \t]*\n){3,}/g;
const BLANKS = /[ \t]{40,}/g;

/**
 * Prepares a text that the user must decide on. Hidden characters become codes, and long blank runs
 * become a count. Its start and end fit on one screen, however long the middle is.
 */
export function questionText(whole: string, t: Localize): TextEnds {
  const text = visibleText(whole)
    .replace(BLANKS, (run) => ` ⋯ ${t("{count} blanks", { count: run.length })} ⋯ `)
    .replace(
      BLANK_LINES,
      (run) => `\n⋯ ${t("{count} blank lines", { count: run.split("\n").length - 2 })} ⋯\n`,
    );
  const lines = text.split("\n").length;
  if (lines <= 2 * LINES && text.length <= 2 * CHARACTERS)
    return { beginning: text, middle: "", end: "" };
  const first = beginningOf(text);
  const last = endOf(text.slice(first));
  return {
    beginning: text.slice(0, first),
    middle: text.slice(first, text.length - last),
    end: text.slice(text.length - last),
  };
}

/** The length of the shown start. Never splits a character. */
function beginningOf(text: string): number {
  let at = -1;
  for (let line = 0; line < LINES; line++) {
    const next = text.indexOf("\n", at + 1);
    if (next < 0) return cutBefore(text, CHARACTERS);
    at = next;
  }
  return Math.min(at + 1, cutBefore(text, CHARACTERS));
}

/** The length of the shown end. */
function endOf(text: string): number {
  let at = text.length;
  for (let line = 0; line < LINES; line++) {
    const next = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
    if (next < 0) return text.length - cutBefore(text, text.length - CHARACTERS);
    at = next;
  }
  return Math.min(text.length - at, text.length - cutBefore(text, text.length - CHARACTERS));
}

function cutBefore(text: string, at: number): number {
  const cut = Math.max(0, Math.min(at, text.length));
  return /[\udc00-\udfff]/.test(text.charAt(cut)) ? Math.max(0, cut - 1) : cut;
}
