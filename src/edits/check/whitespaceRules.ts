import type { PlacedBody } from "../block.ts";
import { linesNear, textsAround } from "../text/fileLines.ts";
import { indentOf } from "../text/indent.ts";
import { BLANKS_MEAN, strayBlanks } from "../text/whitespace.ts";
import { PYTHON_LINES } from "./pythonLines.ts";
import { isDeeper } from "./repeatedLines.ts";

/** May stand nearer to the margin than what it follows. */
const ENDS_BLOCK = /^\s*(?:[)\]}]|end\b|<\/)/;
const ENDS_BRACKET = /^\s*[)\]}]/;
/** Nothing but the end of blocks. */
const ONLY_ENDS = /^\s*(?:[)\]}]+[;,]?|end|<\/[\w-]+>)\s*$/;
/** Stands nearer to the margin than the statements around it, in languages with braces. */
const LABEL =
  /^\s*(?:case\b.*|default|(?:public|private|protected)(?:\s+\w+)?)\s*:\s*(?:\{|\/[/*].*)?$/;
/** Stands at the margin wherever it is, as the marks that comment lines out do. */
const DIRECTIVE = /^(?:#\w|\/\*\s*$|\*\/\s*$)/;
/** A line of a comment, whose star stands one space further than the comment. */
const STAR = /^[ \t]*\*(?:\s|\/|$)/;

/** The only line of a body, where it ends with a blank that the file does not have. */
export function strayBlank({ body, style, path }: PlacedBody): string | undefined {
  const blanks = strayBlanks(path);
  const [line = "", ...others] = body.filter((each) => each.trim() !== "");
  return others.length === 0 && blanks?.test(line) && !style().blankEnded.has(line.trimStart())
    ? line
    : undefined;
}

/**
 * A line indented with spaces, in a body without tabs, where the lines around have tabs, or where
 * the file has that line and another one of the body with tabs only. Python's own lines tell tabs
 * from spaces; those in a string are text.
 */
export function otherIndent({ body, old, neighbors, style, path }: PlacedBody): string | undefined {
  const spaced = body.filter((line) => /^ {2,}\S/.test(line));
  if (PYTHON_LINES.test(path) || spaced.length === 0 || body.some((line) => line.startsWith("\t")))
    return undefined;
  const near = linesNear(old, neighbors);
  const indents = near.map(indentOf).filter((indent) => indent.length > 1 || indent === "\t");
  if (
    indents.length === 0
      ? style().indentedBy === "tabs"
      : indents.some((indent) => indent.includes("\t"))
  )
    return spaced[0];
  const known = spaced.filter((line) => style().tabbed.has(line.trim()));
  return known.find((line) => line.trim() !== known[0]?.trim());
}

/** A first line nearer to the margin than all replaced lines, or than both around an insertion. */
export function leavesBlock({ body, old, neighbors, path }: PlacedBody): string | undefined {
  const first = body.find((line) => line.trim() !== "");
  if (BLANKS_MEAN.test(path) || !neighbors || first === undefined || DIRECTIVE.test(first))
    return undefined;
  const isOutside = (line: string) =>
    isDeeper(STAR.test(line) ? indentOf(line).replace(/ $/, "") : indentOf(line), indentOf(first));
  const filled = old.filter((line) => line.trim() !== "");
  if (isOuterEnd(first, filled[0])) return undefined;
  const [above, below] = textsAround(neighbors);
  // Deeper than the end of the block around it, and so inside.
  if (ONLY_ENDS.test(below) && !ENDS_BLOCK.test(first) && isDeeper(first, below)) return undefined;
  if (filled.length > 0) return filled.every(isOutside) ? first : undefined;
  // Where a block ends below, lines before that say nothing of it; an end before it is an inner
  // one, unless the body goes on.
  if (!ENDS_BLOCK.test(below))
    return !ENDS_BLOCK.test(first) && isOutside(above) && isOutside(below) ? first : undefined;
  if (!ENDS_BLOCK.test(first)) return isOutside(above) ? first : undefined;
  const isInner = isDeeper(indentOf(first), indentOf(below));
  return body.every((line) => ONLY_ENDS.test(line))
    ? isInner
      ? undefined
      : first
    : isOutside(below)
      ? first
      : undefined;
}

/** An end of an outer block, or a label, unless all indent is lost. */
function isOuterEnd(first: string, replaced = ")"): boolean {
  const isEnd = ENDS_BRACKET.test(first) && !ENDS_BRACKET.test(replaced);
  return indentOf(first) !== "" && (isEnd || LABEL.test(first));
}
