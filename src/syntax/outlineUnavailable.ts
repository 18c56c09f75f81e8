import { countLines } from "../base/text/lines.ts";
import { MAX_FILE_BYTES } from "../ports/workspace.ts";
import type { Syntax } from "./syntax.ts";

/** Files with more lines have no outline. */
const MAX_OUTLINE_LINES = 100_000;

/** Why a file has no outline and no AST paths. */
export type OutlineUnavailable =
  | {
      readonly code: "too-large";
      readonly path: string;
      readonly maxBytes: number;
      readonly maxLines: number;
    }
  | { readonly code: "no-grammar" | "unparsed"; readonly path: string };

/** True for a text beyond {@link MAX_FILE_BYTES} or {@link MAX_OUTLINE_LINES}. */
export function isTooLargeForOutline(text: string): boolean {
  return text.length > MAX_FILE_BYTES || countLines(text) > MAX_OUTLINE_LINES;
}

/** Why `openFile` gave null for a file. */
export function outlineUnavailableReason(
  syntax: Pick<Syntax, "languageOf">,
  path: string,
  languageId: string,
  text: string,
): OutlineUnavailable {
  if (isTooLargeForOutline(text))
    return { code: "too-large", path, maxBytes: MAX_FILE_BYTES, maxLines: MAX_OUTLINE_LINES };
  return { code: syntax.languageOf(path, languageId) === null ? "no-grammar" : "unparsed", path };
}
