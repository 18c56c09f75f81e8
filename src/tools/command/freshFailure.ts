import { type FindSeen, failureClues } from "./failureClues.ts";
import type { PartText } from "./partText.ts";

/** How many lines around one that is new belong to the same failure. */
const AROUND = 10;

/**
 * The parts to which a failure points that a run without the parts in `left` has, and the whole did
 * not: they may need what was left out. Null where the failure is the same one.
 */
export async function freshFailure(
  parts: readonly PartText[],
  left: ReadonlySet<number>,
  whole: string,
  output: string,
  find: FindSeen,
): Promise<readonly number[] | null> {
  const known = new Set(whole.split("\n").map(comparable));
  const lines = output.split("\n");
  const isNear = new Set<number>();
  for (const [at, line] of lines.entries())
    if (!known.has(comparable(line)))
      for (let near = at - AROUND; near <= at + AROUND; near++) isNear.add(near);
  if (isNear.size === 0) return null;
  const { lines: named } = await failureClues(
    lines.filter((_, at) => isNear.has(at)).join("\n"),
    find,
  );
  return parts.flatMap((part, at) => {
    if (left.has(at) || part.line === null) return [];
    const start = part.line + linesDown(parts, left, part);
    const isHit = named.some(
      ({ path, line }) => path === part.path && line >= start && line < start + part.added.length,
    );
    return isHit ? [at] : [];
  });
}

/** A line of an output without what differs from run to run, and where lines move. */
function comparable(line: string): string {
  return line.replace(/\d+\.\d+|:\d+(?::\d+)?|\d+ ?m?s\b|\(\d+,\d+\)/g, "#").trim();
}

/** How many lines a part is further down where some parts are left out. */
function linesDown(
  parts: readonly PartText[],
  left: ReadonlySet<number>,
  { path, line }: PartText,
): number {
  let shift = 0;
  for (const [at, other] of parts.entries())
    if (left.has(at) && other.path === path && (other.line ?? 0) < (line ?? 0))
      shift += other.removed.length - other.added.length;
  return shift;
}
