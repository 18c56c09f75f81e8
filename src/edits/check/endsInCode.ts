import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { EditOp } from "../block.ts";
import type { Placement } from "../place/placer.ts";

/** In code each of these lines is an error; text may hold them, but for the one that ends it. */
const LINES_OF_TEXT = ["\n)\n", "\n(\n"];

/** True when the grammar proves that lines end at the bare fence after them, or go nowhere. */
export function endsInCode(
  { growing }: Placement,
  op: EditOp,
  document: SyntaxDocument | null,
): boolean {
  if (!growing || !document) return growing === null;
  const { text, start, end } = growing.complete();
  const before = op === "complete" ? 0 : document.errorCount();
  // The separator of a new member comes when the block is closed.
  const separatorAt =
    op === "after" || op === "append" ? start : op === "before" || op === "prepend" ? end : null;
  const texts = separatorAt === null ? [text] : [text, withAt(text, separatorAt, ",")];
  return texts.some((whole) => {
    const errors = document.errorsIn(whole);
    if (errors === null || errors > before) return false;
    const at = end + whole.length - text.length;
    return LINES_OF_TEXT.every((line) => {
      const withText = document.errorsIn(withAt(whole, at, line));
      return withText !== null && withText > errors;
    });
  });
}

function withAt(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
