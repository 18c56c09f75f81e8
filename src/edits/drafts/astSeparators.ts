import type { SyntaxElement } from "../../syntax/syntax.ts";
import type { TextEdit } from "../text/changeSet.ts";
import type { EditOp } from "./address.ts";

/** Kinds that hold statements, which no comma separates. */
const HOLDS_STATEMENTS: ReadonlySet<string> = new Set([
  "accessor",
  "file",
  "function",
  "method",
  "test",
]);

/**
 * Variants of an edit among comma-separated members, for when it breaks the syntax: with a comma
 * before the insertion, with one after it, and a removal that takes the comma before it.
 */
export function withSeparators(
  text: string,
  edit: TextEdit,
  element: SyntaxElement,
  op: EditOp,
): TextEdit[] {
  const inside = op === "append" || op === "prepend";
  if (inside ? HOLDS_STATEMENTS.has(element.kind) : element.kind === "statement") return [];
  const variants: TextEdit[] = [];
  const endsWithWord = /[\w)\]}"'`]$/.test(text.slice(0, edit.start).trimEnd());
  const followed = element.body?.inner.end ?? element.range.end;
  if (op === "append" && endsWithWord && edit.start <= followed)
    variants.push({ ...edit, newText: `,${edit.newText}` });
  if (op === "after" && edit.newText !== "") {
    const { end } = element.range;
    const between = text.slice(end, edit.start);
    const rest = edit.newText.trimEnd();
    variants.push({ start: end, end: edit.end, newText: `,${between}${edit.newText}` });
    variants.push({
      start: end,
      end: edit.end,
      newText: `,${between}${rest},${edit.newText.slice(rest.length)}`,
    });
    variants.push({ ...edit, newText: `${rest},${edit.newText.slice(rest.length)}` });
  }
  if (op === "before" || op === "prepend") {
    const body = edit.newText.trimEnd();
    variants.push({ ...edit, newText: `${body},${edit.newText.slice(body.length)}` });
  }
  if (edit.newText === "") {
    const comma = /,\s*$/.exec(text.slice(0, edit.start));
    const lineBreak = /(\r\n|\r|\n)[ \t]*$/.exec(text.slice(0, edit.start))?.[0] ?? "";
    if (comma) variants.push({ start: comma.index, end: edit.end, newText: lineBreak });
  }
  return variants;
}
