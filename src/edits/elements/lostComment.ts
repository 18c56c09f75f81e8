import { lineEnd, lineStart, nextLine, type OffsetRange } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import { squeezed } from "../text/lineChecks.ts";
import { isDirective } from "./leadingComments.ts";

/** How comments begin after code, and what they are in that line. */
const STARTS = /(?<=[\s;,)}\]])(?:\/\/|\/\*|#|--|<!--)/g;
/** A line of a body with a comment after its code, whatever the language. */
const ENDS_COMMENTED = /\S.*[\s;,)}\]](?:\/\/|\/\*|#|--|<!--)/;
/** What names a value, up to it. */
const KEY = /^.*?\w["'\]]?\s*(?::=|[:=])(?=\s|$)/;

/**
 * The code of a line within `range` that stands in the body of its rewrite, with the comment after
 * it left out and nowhere else; null for none. A line is the same by its code, or by the name of
 * the value in it. Comments for tools go with their code.
 */
export function lostComment(
  document: SyntaxDocument,
  range: OffsetRange,
  body: readonly string[],
): string | null {
  const { text } = document;
  const old: { readonly code: string; readonly comment: string }[] = [];
  for (let at = lineStart(text, range.start); at < range.end; at = nextLine(text, at)) {
    const line = text.slice(at, Math.min(lineEnd(text, at), range.end));
    const starts = [...line.matchAll(STARTS)].map(({ index }) => index);
    const start = starts.find((each) => isComment(document, at, line, each)) ?? line.length;
    old.push({ code: line.slice(0, start), comment: line.slice(start) });
  }
  if (old.every(({ comment }) => comment === "")) return null;
  const written = squeezed(body.join(""));
  const lost = old.find(({ code, comment }) => {
    const words = squeezed(comment).replace(/^\W+|\W+$/g, "");
    if (!/[\p{L}\d]{2}/u.test(words) || written.includes(words)) return false;
    const isSame = (line: string) => codeOnly(line) === codeOnly(code);
    const same = body.filter(isSame);
    if (same.length > 0) return old.filter((line) => isSame(line.code)).length === 1;
    const key = KEY.exec(code)?.[0];
    if (key === undefined || isDirective(comment)) return false;
    const isOf = (line: string) => squeezed(KEY.exec(line)?.[0] ?? "") === squeezed(key);
    const [now, ...others] = body.filter(isOf);
    const isOnly = others.length === 0 && old.filter((line) => isOf(line.code)).length === 1;
    return isOnly && now !== undefined && !ENDS_COMMENTED.test(now);
  });
  return lost ? lost.code.trim() : null;
}

/** True where a comment begins after the code of a line, and ends it. */
function isComment(document: SyntaxDocument, at: number, line: string, start: number): boolean {
  const code = line.slice(0, start).trimEnd();
  return code.trim() !== "" && document.endsLine(at + code.length);
}

function codeOnly(line: string): string {
  return squeezed(line).replace(/[,;]+$/, "");
}
