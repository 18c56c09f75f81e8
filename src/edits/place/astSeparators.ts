import type { SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import type { EditOp } from "../block.ts";
import { HOLDS_STATEMENTS } from "../elements/kinds.ts";
import type { PlacedEdit, TextEdit } from "../text/changeSet.ts";
import { ENDS_WITH_COMMENT } from "./astSlot.ts";

/** Kinds that hold statements alone; a constructor may hold its parameters. */
const WITHOUT_COMMAS: ReadonlySet<string> = new Set(
  [...HOLDS_STATEMENTS].filter((kind) => kind !== "constructor"),
);

/** Makes an edit at an element, with a comma between members where one is needed. */
export function editMembers(
  document: SyntaxDocument,
  edit: PlacedEdit,
  element: SyntaxElement,
  op: EditOp,
  errors: number,
): PlacedEdit {
  const { text } = document;
  const codeEnd = document.codeAround(edit.start).before?.at ?? edit.start;
  const joins = joinsMembers(document, edit, element, op);
  const isSound = () => document.errorCount() <= errors;
  const tried: TextEdit[] = [];
  const put = (next: TextEdit) => {
    const current = tried.at(-1);
    if (current === next) return;
    if (current)
      document.edit(
        { start: current.start, end: current.start + current.newText.length },
        text.slice(current.start, current.end),
      );
    document.edit(next, next.newText);
    tried.push(next);
  };
  const ended = withLastComma(text, edit, element, op, codeEnd);
  let sound: TextEdit | null = null;
  for (const variant of [
    ...(ended ? [ended] : []),
    edit,
    ...withSeparators(text, edit, element, op, codeEnd),
  ]) {
    put(variant);
    if (!isSound()) continue;
    sound ??= variant;
    if (!joins(variant)) return placedAs(variant, edit);
  }
  const last = sound ?? edit;
  put(last);
  return placedAs(last, edit);
}

/** An edit that was made as a variant of it, with the place of what was written. */
function placedAs(variant: TextEdit, edit: PlacedEdit): PlacedEdit {
  if (variant === edit) return edit;
  const { start, written } = edit;
  const whole = edit.newText.slice(written.start - start, written.end - start);
  const body = variant.newText.includes(whole) ? whole : whole.trim();
  const from = variant.start + Math.max(0, variant.newText.lastIndexOf(body));
  return { ...variant, written: { start: from, end: from + body.length } };
}

/** Variants of an edit among comma-separated members, for when it breaks the syntax. */
function withSeparators(
  text: string,
  edit: TextEdit,
  element: SyntaxElement,
  op: EditOp,
  codeEnd: number,
): TextEdit[] {
  const inside = op === "append" || op === "prepend";
  if (inside ? WITHOUT_COMMAS.has(element.kind) : element.kind === "statement") return [];
  const variants: TextEdit[] = [];
  const followed = element.body?.inner.end ?? element.range.end;
  if (op === "append" && edit.start <= followed && /[\w)\]}"'`]$/.test(text.slice(0, codeEnd))) {
    const inner = element.body && text.slice(element.body.inner.start, element.body.inner.end);
    const body = edit.newText.trim();
    // Members on one line stay there.
    if (inner && !/[\r\n]/.test(inner + body))
      variants.push({ start: codeEnd, end: codeEnd, newText: `, ${body}` });
    variants.push({
      ...{ start: codeEnd, end: edit.end },
      newText: `,${text.slice(codeEnd, edit.start)}${edit.newText}`,
    });
  }
  if (op === "after" && edit.newText !== "") {
    const between = text.slice(codeEnd, edit.start);
    const rest = edit.newText.trimEnd();
    variants.push({ start: codeEnd, end: edit.end, newText: `,${between}${edit.newText}` });
    variants.push({
      start: codeEnd,
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

/** An insertion after a member with a last comma, which gets one, too; null elsewhere. */
function withLastComma(
  text: string,
  edit: TextEdit,
  element: SyntaxElement,
  op: EditOp,
  codeEnd: number,
): TextEdit | null {
  if (op !== "append" || element.body?.style !== "braces") return null;
  if (WITHOUT_COMMAS.has(element.kind) || text[codeEnd - 1] !== ",") return null;
  if (codeEnd <= element.body.inner.start) return null;
  const body = edit.newText.trimEnd();
  if (/[,;]$/.test(body) || ENDS_WITH_COMMENT.test(body.slice(body.lastIndexOf("\n") + 1)))
    return null;
  return { ...edit, newText: `${body},${edit.newText.slice(body.length)}` };
}

/** Tells whether an edit joined members, as `"b" "c"` in a list is one string. */
function joinsMembers(
  document: SyntaxDocument,
  edit: TextEdit,
  element: SyntaxElement,
  op: EditOp,
): (made: TextEdit) => boolean {
  const isInside = op === "append" || op === "prepend";
  if (!isInside || element.body?.style !== "braces" || WITHOUT_COMMAS.has(element.kind))
    return () => false;
  const { inner } = element.body;
  const old = document.codeAround(edit.start);
  const last = old.before && old.before.at > inner.start ? old.before : null;
  const next = old.after && old.after.at < inner.end ? old.after : null;
  return (made) => {
    const moved = made.newText.length - (made.end - made.start);
    const isOther = (one: typeof last, now: typeof last) =>
      one !== null && one.holder !== now?.holder;
    return (
      (op === "append" && isOther(last, last && document.codeAround(last.at).before)) ||
      (op === "prepend" && isOther(next, next && document.codeAround(next.at + moved).after))
    );
  };
}
