import { lineEnd } from "../../base/text/scan.ts";
import type { SyntaxDocument, SyntaxElement } from "../../syntax/syntax.ts";
import { isDirective } from "../elements/leadingComments.ts";
import type { AstSlot } from "./astSlot.ts";

const OPENERS = [/\/\/|\/\*/, /#/, /--/, /<!--/] as const;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** A slot and a body that fit the comment after the element. */
export interface TrailingComments {
  readonly slot: AstSlot;
  readonly lines: readonly string[];
  /** `both`: the old one is for a tool and stays. */
  readonly comment: "replaced" | "both" | null;
}

/** Fits a body that ends with a comment: the one after the element goes, a separator moves. */
export function fitTrailingComment(
  text: SyntaxDocument,
  element: SyntaxElement,
  slot: AstSlot,
  lines: readonly string[],
): TrailingComments {
  const at = lines.findLastIndex((line) => line.trim() !== "");
  const last = lines[at] ?? "";
  const { end } = element.range;
  const close = lineEnd(text.text, end);
  const after = text.endsLine(end) ? text.text.slice(end, close).trimEnd() : "";
  const opener = OPENERS.find((each) => each.test(after.trimStart().slice(0, 4)));
  const own = commentIn(last, opener ? [opener] : OPENERS.slice(0, 1));
  if (own === null) return { slot, lines, comment: null };
  const separator = text.text.slice(slot.range.end, slot.separatedEnd).trim();
  const code = last.slice(0, own).trimEnd();
  const isSeparated = separator === "" || /[,;]$/.test(code);
  const fitted = isSeparated ? lines : lines.with(at, code + separator + last.slice(code.length));
  if (!opener)
    return {
      slot: isSeparated ? slot : { ...slot, range: { ...slot.range, end: slot.separatedEnd } },
      lines: fitted,
      comment: null,
    };
  if (isDirective(after.trim()) && !last.slice(own).includes(after.trim()))
    return { slot, lines, comment: "both" };
  const whole = {
    ...slot,
    range: { ...slot.range, end: end + after.length },
    separatedEnd: end + after.length,
  };
  return { slot: whole, lines: fitted, comment: "replaced" };
}

/** Where a comment begins after the code of a line, null for none. */
function commentIn(line: string, openers: readonly RegExp[]): number | null {
  const code = line.replace(STRINGS, (string) => " ".repeat(string.length));
  const starts = openers.flatMap((opener) => {
    const found = new RegExp(`(?<=\\S\\s*[\\s;,)}\\]])(?:${opener.source})`).exec(code);
    return found && code.slice(0, found.index).trim() !== "" ? [found.index] : [];
  });
  const start = Math.min(...starts);
  if (!Number.isFinite(start)) return null;
  const isBlock = line.startsWith("/*", start);
  return isBlock && !/\*\/\s*$/.test(line) ? null : start;
}
