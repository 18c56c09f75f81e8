import { english, type Localize } from "../base/localize.ts";
import type { OutlineUnavailable } from "./outlineUnavailable.ts";
import { FILE_PATH, IMPORTS_PATH } from "./paths/elementPaths.ts";
import type { OutlineEntry, PathCandidate, PathError } from "./syntax.ts";

/** Why a path names no element, or more than one, and what to write instead. */
export function pathErrorMessage(error: PathError, t: Localize = english): string {
  switch (error.code) {
    case "not-found": {
      const nearest = error.candidates.map((candidate) => placed(candidate, t)).join(", ");
      const missing = t("There is no element `{path}` in this file.", { path: error.path });
      return nearest === ""
        ? `${missing} ${t("The file has no elements to address; only `{file}` and `{imports}` work.", { file: FILE_PATH, imports: IMPORTS_PATH })}`
        : `${missing} ${t("The nearest are: {nearest}. Write a path exactly as the outline prints it.", { nearest })}`;
    }
    case "ambiguous": {
      const { path, count } = error;
      const rest = count - error.candidates.length;
      const listed = error.candidates.map((candidate) => placed(candidate, t)).join(", ");
      const candidates = rest > 0 ? t("{listed} and {rest} more", { listed, rest }) : listed;
      return t(
        "`{path}` is ambiguous, it names {count} elements: {candidates}. Write one of these paths in full.",
        {
          path,
          count,
          candidates,
        },
      );
    }
    case "syntax-error":
      return t(
        "{element} contains a syntax error, so its end is uncertain. Address an element outside of the error, or use line numbers.",
        { element: placed(error.element, t) },
      );
    case "reassigned":
      return t(
        "What `{path}` named was removed or renamed by an earlier block. Until the changes are applied, the element at line {line} is called `{pinnedPath}`; write that path to address it.",
        error,
      );
    case "boundary-changed":
      return t(
        "An earlier block moved the beginning or end of `{path}` into its neighbor, so nothing was changed there. Read the file again and address the element in your next message.",
        error,
      );
    case "no-imports":
      return t("This language has no import section, so `{path}` names nothing.", {
        path: IMPORTS_PATH,
      });
    case "unparsed":
      return t("Graft could not parse the file, so AST paths do not work in it. Use line numbers.");
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
function placed(element: OutlineEntry | PathCandidate, t: Localize): string {
  const { path, kind, startLine: first, endLine: last } = element;
  const lines =
    first === last ? t("line {first}", { first }) : t("lines {first}-{last}", { first, last });
  return "signature" in element
    ? `\`${path}\` (${kind}, ${lines}: \`${element.signature}\`)`
    : `\`${path}\` (${kind}, ${lines})`;
}
