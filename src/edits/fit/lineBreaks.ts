import { isBlank, lineStart } from "../../base/text/scan.ts";
import type { TextEdit } from "../text/changeSet.ts";
import { indentOf } from "../text/indent.ts";
import type { Repair } from "./repairs.ts";

const FIRST_BREAK = /^(?:\r\n|\n|\r)/;
/** With the indent of the line after it, where a search text ends with that. */
const LAST_BREAK = /(?:\r\n|\n|\r)[ \t]*$/;

/** An edit by search and replace, and the file's line break. */
interface SearchedEdit {
  readonly text: string;
  readonly edit: TextEdit;
  readonly eol: string;
}

/** Line breaks that a search text begins or ends with, and its replacement lacks. */
export const LINE_BREAKS: Repair<SearchedEdit, TextEdit> = {
  name: "line breaks",
  says: "Search and replace joins no lines, but where white space alone changes or a blank replaces the break.",
  apply: keepLineBreaks,
};

function keepLineBreaks({ text, edit, eol }: SearchedEdit): TextEdit | null {
  const { start, end, newText } = edit;
  const old = text.slice(start, end);
  if (old.trim() === "") return null;
  const last = LAST_BREAK.exec(old)?.[0];
  if (newText === "") {
    const isLineStart = isBlank(text, lineStart(text, start), start);
    return last === undefined || isLineStart ? null : { start, end: end - last.length, newText };
  }
  const isEndLost =
    last !== undefined && !/[\s]$/.test(newText) && newText.trimEnd() !== old.trimEnd();
  // At the start of a line, the break is a blank line of its own.
  const lead = lineStart(text, start) < start ? lostLead(old, newText, eol) : null;
  if (lead === null && !isEndLost) return null;
  return {
    start,
    end,
    newText: `${lead ?? ""}${newText}${isEndLost ? eol + indentOf(last.replace(/^[\r\n]+/, "")) : ""}`,
  };
}

/** The line break that a replacement lacks at its beginning, and the indent after it; or null. */
function lostLead(old: string, newText: string, eol: string): string | null {
  const first = FIRST_BREAK.exec(old)?.[0];
  if (first === undefined || FIRST_BREAK.test(newText)) return null;
  if (newText.trimStart() === old.trimStart()) return null;
  const indent = indentOf(old.slice(first.length));
  const own = indentOf(newText);
  if (own === indent) return eol;
  return own === "" ? eol + indent : null;
}
