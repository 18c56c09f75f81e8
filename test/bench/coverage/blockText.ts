import type { WritingOp } from "./contractSlots.ts";

/**
 * A block of AST mode, and the edit that the contract says it makes, in UTF-16 offsets of the text
 * it meets.
 */
export interface EncodedBlock {
  readonly path: string;
  readonly op: WritingOp | "remove";
  /** Its lines; empty for a deletion. */
  readonly body: string;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A fence that no line of the body can be taken for. */
function fenceFor(body: string): string {
  const longest = [...body.matchAll(/^ {0,3}(`{3,})/gm)].reduce(
    (most, [, ticks = ""]) => Math.max(most, ticks.length),
    2,
  );
  return "`".repeat(longest + 1);
}

/** The block as a model writes it, with a line break at its end. */
export function blockText(
  { path, op, body }: Pick<EncodedBlock, "path" | "op" | "body">,
  lang: string,
): string {
  const lines = body.replaceAll("\r\n", "\n");
  const fence = fenceFor(lines);
  const suffix = op === "replace" ? "" : `:${op}`;
  return `${fence}${lang}:ast-path:${path}${suffix}\n${lines === "" ? "" : `${lines}\n`}${fence}\n`;
}
