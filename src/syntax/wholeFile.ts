import { FILE_PATH } from "./elementPaths.ts";
import type { SyntaxElement } from "./syntaxTypes.ts";

/** The whole text as an element, `@file`. Its body begins behind a byte order mark and a shebang line. */
export function wholeFile(text: string, hasError: boolean): SyntaxElement {
  const range = { start: 0, end: text.length };
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const shebang = text.startsWith("#!", bom) ? /^.*(\r\n|\n|\r|$)/.exec(text.slice(bom))?.[0].length : 0;
  return {
    path: FILE_PATH,
    kind: "file",
    range,
    separatorStart: range.end,
    sharedWith: [],
    commentStart: 0,
    body: { inner: { start: bom + (shebang ?? 0), end: range.end }, style: "section", memberIndent: "" },
    hasError,
  };
}
