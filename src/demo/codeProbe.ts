import type { SyntaxDocument } from "../syntax/syntaxTypes.ts";

/** Asks the parser what stands at a place, by trying a change and taking it back. */
export interface CodeProbe {
  /** True when the token over the range is code, false inside a string, a comment, a regular expression or markup text. */
  isCode(start: number, end: number): boolean;
  /** True when a token of the code begins at `start`, even where a string does. */
  beginsToken(start: number): boolean;
  /** True when the text over the range could be `replacement` without a new syntax error. */
  accepts(start: number, end: number, replacement: string): boolean;
}

/** A character no grammar has outside of strings, comments and the like; many others count as letters. */
const FOREIGN = "\u0001";

/** A probe on `document`, whose text is the same after each question. */
export function createCodeProbe(document: SyntaxDocument): CodeProbe {
  const errors = document.errorCount();
  const accepts = (start: number, end: number, replacement: string) => {
    const original = document.text.slice(start, end);
    document.edit({ start, end }, replacement);
    const accepted = document.errorCount() <= errors;
    document.edit({ start, end: start + replacement.length }, original);
    return accepted;
  };
  return {
    accepts,
    beginsToken: (start) => !accepts(start, start, `${FOREIGN} `),
    isCode: (start, end) =>
      !accepts(start, end, `${document.text.slice(start, start + 1)}${FOREIGN}${document.text.slice(start + 1, end)}`),
  };
}
