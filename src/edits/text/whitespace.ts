import { squeezed } from "./lineChecks.ts";

/** Files in which blanks at line ends mean something. */
export const BLANKS_MEAN = /\.(?:md|mdx|markdown|rst|adoc|txt|diff|patch|csv|tsv)$/i;
/** Files in which two blanks at a line's end mean something, and one means nothing. */
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** One blank at a line's end. */
export const ONE_BLANK = /\S $/;

/** What blanks at a line's end may be stray in a file; null where all mean something. */
export function strayBlanks(path: string): RegExp | null {
  if (MARKDOWN.test(path)) return ONE_BLANK;
  return BLANKS_MEAN.test(path) ? null : /\S[ \t]+$/;
}

/** True where lines differ in white space alone: such a change is meant. */
export function isOnlyWhitespace(body: readonly string[], old: readonly string[]): boolean {
  return old.length > 0 && squeezed(body.join("")) === squeezed(old.join(""));
}

/** A text as a regular expression that matches it alone. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
