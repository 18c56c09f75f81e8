import type { OutlineUnavailable } from "./outlineUnavailable.ts";
import { FILE_PATH, IMPORTS_PATH } from "./paths/elementPaths.ts";
import type { OutlineEntry, PathCandidate, PathError, SyntaxDocument } from "./syntax.ts";

/** What the model reads when a path names no element, or more than one. */
export function pathErrorMessage(error: PathError): string {
  switch (error.code) {
    case "not-found":
      return `There is no element \`${error.path}\` in this file. ${
        error.candidates.length > 0
          ? `The nearest are: ${listed(error.candidates)}. Write a path exactly as the outline prints it.`
          : `The file has no elements to address; only \`${FILE_PATH}\` and \`${IMPORTS_PATH}\` work.`
      }`;
    case "ambiguous": {
      const rest = error.count - error.candidates.length;
      const more = rest > 0 ? ` and ${rest} more` : "";
      return `\`${error.path}\` is ambiguous, it names ${error.count} elements: ${error.candidates.map(signed).join(", ")}${more}. Write one of these paths in full.`;
    }
    case "syntax-error":
      return `${placed(error.element)} contains a syntax error, so its end is uncertain. Address an element outside of the error, or use line numbers.`;
    case "uncertain-range":
      return `The editor's language support does not tell exactly where ${placed(error.element)} begins and ends. Address another element, or use line numbers.`;
    case "replaced":
      return `\`${error.path}\` was replaced or removed by an earlier block. Without a grammar for this kind of file, Graft cannot find it again. Address an unchanged element, or use line numbers.`;
    case "reassigned":
      return `What \`${error.path}\` named was removed or renamed by an earlier block. Until the changes are applied, the element at line ${error.line} is called \`${error.pinnedPath}\`; write that path to address it.`;
    case "boundary-changed":
      return `An earlier block moved the beginning or end of \`${error.path}\` into its neighbor, so nothing was changed there. Read the file again and address the element in your next message.`;
    case "no-imports":
      return `This language has no import section, so \`${IMPORTS_PATH}\` names nothing.`;
    case "imports-need-grammar":
      return `There is no grammar for this kind of file, so \`${IMPORTS_PATH}\` names nothing. Insert before or after an element of the outline, or use line numbers.`;
    case "unparsed":
      return "Graft could not parse the file, so AST paths do not work in it. Use line numbers.";
  }
}

/** What to tell the model below a file's outline; "" when all addresses work. */
export function restrictionMessage({ restriction }: Pick<SyntaxDocument, "restriction">): string {
  if (restriction === null) return "";
  return `These paths come from the editor's language support, there is no grammar for this kind of file: \`${IMPORTS_PATH}\` does not work, and an element that one block replaced cannot be addressed by a later one.`;
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

function listed(entries: readonly OutlineEntry[]): string {
  return entries.map(({ path, kind, startLine, endLine }) => `\`${path}\` (${kind}, ${lines(startLine, endLine)})`).join(", ");
}

function signed({ path, kind, startLine, endLine, signature }: PathCandidate): string {
  return `\`${path}\` (${kind}, ${lines(startLine, endLine)}: \`${signature}\`)`;
}

function placed({ path, startLine, endLine }: OutlineEntry): string {
  return `\`${path}\` (${lines(startLine, endLine)})`;
}

function lines(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}
