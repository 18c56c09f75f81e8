import type { OutlineUnavailable } from "./outlineUnavailable.ts";
import { FILE_PATH, IMPORTS_PATH } from "./paths/elementPaths.ts";
import type { OutlineEntry, PathError } from "./syntax.ts";

/** Why a path names no element, or more than one, and what to write instead, for the model. */
export function pathErrorMessage(error: PathError): string {
  switch (error.code) {
    case "not-found": {
      const nearest = error.candidates.map(placed).join(", ");
      const missing = `There is no element \`${error.path}\` in this file.`;
      return nearest === ""
        ? `${missing} The file has no elements to address; only \`${FILE_PATH}\` and \`${IMPORTS_PATH}\` work.`
        : `${missing} The nearest are: ${nearest}. Write a path exactly as the outline prints it.`;
    }
    case "ambiguous": {
      const { path, count } = error;
      const rest = count - error.candidates.length;
      const listed = error.candidates.map(placed).join(", ");
      const candidates = rest > 0 ? `${listed} and ${rest} more` : listed;
      return `\`${path}\` is ambiguous, it names ${count} elements: ${candidates}. Write one of these paths in full.`;
    }
    case "syntax-error":
      return `${placed(error.element)} contains a syntax error, so its end is uncertain. Address an element outside of the error, or use line numbers.`;
    case "reassigned":
      return `What \`${error.path}\` named was removed or renamed by an earlier block. Until the changes are applied, the element at line ${error.line} is called \`${error.pinnedPath}\`; write that path to address it.`;
    case "boundary-changed":
      return `An earlier block moved the beginning or end of \`${error.path}\` into its neighbor, so nothing was changed there. Read the file again and address the element in your next message.`;
    case "no-imports":
      return `\`${IMPORTS_PATH}\` cannot be used here: this language has no import section.`;
    case "unparsed":
      return "Graft could not parse the file, so AST paths do not work in it. Use line numbers.";
  }
}

/** Why a file has no outline and no AST paths, and what works instead. */
export function outlineUnavailableMessage(reason: OutlineUnavailable): string {
  const { path } = reason;
  switch (reason.code) {
    case "too-large": {
      const limit = `${reason.maxBytes / 1024 / 1024} MB and ${reason.maxLines.toLocaleString("en")} lines`;
      return `${path} is too large for an outline, which files up to ${limit} have. Use line numbers.`;
    }
    case "no-grammar":
      return `There is no grammar for ${path}, so it has no outline and AST paths do not work in it. Use line numbers.`;
    case "unparsed":
      return `${path} could not be parsed, so it has no outline and AST paths do not work in it. Use line numbers.`;
  }
}

/**
 * The path with what tells it from others: its kind and signature where they are known, and its
 * lines.
 */
function placed({ path, kind, startLine: first, endLine: last, signature }: OutlineEntry): string {
  const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return signature === undefined
    ? `\`${path}\` (${kind}, ${lines})`
    : `\`${path}\` (${kind}, ${lines}: \`${signature}\`)`;
}
