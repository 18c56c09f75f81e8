import type { BlockWarning } from "../../ports/review.ts";
import type { FileStyle } from "../text/fileStyle.ts";
import { indentOf } from "../text/indent.ts";

/** The lines that show how a body should be written. */
export interface LinesAround {
  /** The lines it replaces; none for an insertion. */
  readonly old: readonly string[];
  /** The nearest lines with text, null at the file's ends; null as a whole where the body's indent is adapted. */
  readonly around: {
    readonly textAbove: string | null;
    readonly textBelow: string | null;
    /** The one above where earlier blocks of the message changed it; else null. */
    readonly newAbove: string | null;
  } | null;
}

const ENDS_BLOCK = /^\s*(?:[)\]}]|end\b|<\/)/;
/** Nothing but the end of blocks. */
const ONLY_ENDS = /^\s*(?:[)\]}]+[;,]?|end|<\/[\w-]+>)\s*$/;
/** Stands at the margin wherever it is. */
const DIRECTIVE = /^#\w/;

/** The warning for white space that is likely a slip but cannot be fixed for certain. In `prose` two blanks break a line. */
export function whitespaceWarnings(
  body: readonly string[],
  place: LinesAround,
  style: () => FileStyle,
  prose: boolean,
): readonly BlockWarning[] {
  const line = strayBlank(body, style, prose) ?? otherKind(body, place, style) ?? (prose ? undefined : lostIndent(body, place));
  return line === undefined ? [] : [{ code: "whitespace", line: line.trim() }];
}

/** A line that ends with blanks, and that the file does not have. */
function strayBlank(body: readonly string[], style: () => FileStyle, prose: boolean): string | undefined {
  const isStray = prose ? /\S $/ : /\S[ \t]+$/;
  return body.find((line) => isStray.test(line) && !style().blankEnded.has(line.trimStart()));
}

/**
 * A line indented with tabs where the lines around have only spaces; or with spaces, in a body without tabs, where they have tabs, or
 * where the file has that line and another one of the body with tabs only.
 */
function otherKind(body: readonly string[], { old, around }: LinesAround, style: () => FileStyle): string | undefined {
  if (!body.some((line) => /^(?: {2}|\t)/.test(line))) return undefined;
  const near = old.length > 0 ? old : [around?.textAbove ?? "", around?.textBelow ?? ""];
  const indents = near.map(indentOf).filter((indent) => indent.length > 1 || indent === "\t");
  const isTabbed = indents.some((indent) => indent.includes("\t"));
  const kind = indents.length === 0 ? style().indentedBy : isTabbed ? "tabs" : "spaces";
  if (kind === "spaces") return body.find((line) => /^ *\t/.test(line));
  if (body.some((line) => line.startsWith("\t"))) return undefined;
  const spaced = body.filter((line) => line.startsWith("  "));
  const known = kind === "tabs" ? [] : spaced.filter((line) => style().tabbed.has(line.trim()));
  return kind === "tabs" ? spaced[0] : known.find((line) => line.trim() !== known[0]?.trim());
}

/** A line at the margin where all lines that are replaced, or all around an insertion, are indented. */
function lostIndent(body: readonly string[], { old, around }: LinesAround): string | undefined {
  if (!around) return undefined;
  const filled = old.filter((line) => line.trim() !== "");
  const { textAbove, textBelow } = around;
  const first = body.find((line) => line.trim() !== "") ?? "";
  // The end of a block says nothing of what is put before it, unless the body goes on after such an end.
  const goesOn = ENDS_BLOCK.test(first) && !body.every((line) => ONLY_ENDS.test(line));
  const beside = ENDS_BLOCK.test(textBelow ?? "") && !goesOn ? [textAbove] : [textAbove, textBelow];
  const near = filled.length > 0 ? filled : beside;
  return near.every((line) => /^[ \t]/.test(line ?? "")) ? body.find((line) => /^\S/.test(line) && !DIRECTIVE.test(line)) : undefined;
}
