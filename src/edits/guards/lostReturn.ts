import type { Neighbors } from "../drafts/lineChange.ts";
import { indentOf } from "../text/indent.ts";
import type { PlacedBlock } from "./placedBlock.ts";
import { isFilled } from "./repeatedLines.ts";

/** Files of languages in which a value leaves a function by such a line alone. */
const RETURNS = /\.(?:py|java|[cm]?[jt]sx?|go|c|cc|cpp|cxx|h|hpp|cs|php|dart)$/i;
const RETURN = /^\s*(?:return|raise|throw)\s*[^\s;]/;
const LEAVES = /\b(?:return|raise|throw|break|continue|yield|goto|panic|fatal|exit|fail|assert)/i;

/**
 * The only line that a block replaces, where it ends its block by returning or throwing something,
 * and the body goes on in that block without leaving it; else null.
 */
export function lostReturn(
  { body, old, path }: PlacedBlock,
  { textsBelow }: Neighbors,
): string | null {
  const [last = "", ...others] = old.filter(isFilled);
  const written = body.filter(isFilled);
  if (!RETURNS.test(path) || others.length > 0 || !RETURN.test(last) || written.length === 0)
    return null;
  const widthOf = (line: string) => indentOf(line).length;
  const width = widthOf(last);
  const [below = ""] = textsBelow;
  const isEnd = below === "" || widthOf(below) < width;
  const leaves = (line: string) => widthOf(line) <= width && LEAVES.test(line);
  return isEnd && widthOf(written[0] ?? "") >= width && !written.some(leaves) ? last.trim() : null;
}
