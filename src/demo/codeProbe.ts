import type { SyntaxDocument } from "../syntax/syntax.ts";

/** No grammar has this character outside of strings, comments and the like. */
const FOREIGN = "\u0001";

/** Asks the parser what is at a place, by trying a change and taking it back. */
export function createCodeProbe(document: SyntaxDocument) {
  const errors = document.errorCount();
  /** True when replacing the range adds no syntax error. */
  const accepts = (start: number, end: number, replacement: string): boolean => {
    const original = document.text.slice(start, end);
    document.edit({ start, end }, replacement);
    const accepted = document.errorCount() <= errors;
    document.edit({ start, end: start + replacement.length }, original);
    return accepted;
  };
  /** False inside a string, a comment, a regular expression or markup text. */
  const isCode = (start: number, end: number): boolean =>
    !accepts(start, end, document.text.slice(start, start + 1) + FOREIGN + document.text.slice(start + 1, end));
  return { accepts, isCode };
}
