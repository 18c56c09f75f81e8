import { countLines } from "../base/text.ts";
import { MAX_FILE_BYTES } from "../ports/workspace.ts";
import type { Syntax } from "./syntaxTypes.ts";

/** Files of more lines have no outline. */
const MAX_OUTLINE_LINES = 100_000;

/** True for a text that is too large to have an outline: more than {@link MAX_FILE_BYTES} or {@link MAX_OUTLINE_LINES}. */
export function isTooLargeForOutline(text: string): boolean {
  return text.length > MAX_FILE_BYTES || countLines(text) > MAX_OUTLINE_LINES;
}

/** Why a file that `openFile` gave null for has no outline and no AST paths: a sentence that says what works instead. */
export function whyNoOutline(syntax: Pick<Syntax, "languageOf">, path: string, languageId: string, text: string): string {
  if (isTooLargeForOutline(text)) {
    const limit = `${MAX_FILE_BYTES / 1024 / 1024} MB and ${MAX_OUTLINE_LINES.toLocaleString("en")} lines`;
    return `${path} is too large for an outline, which files up to ${limit} have. Use line numbers.`;
  }
  if (syntax.languageOf(path, languageId) === null) {
    return `There is no grammar for ${path}, so it has no outline and AST paths do not work in it. Use line numbers.`;
  }
  return `${path} could not be parsed, so it has no outline and AST paths do not work in it. Use line numbers.`;
}
