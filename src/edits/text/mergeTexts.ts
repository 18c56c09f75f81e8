import { err, ok, type Result } from "../../base/result.ts";
import type { LineRange } from "./lineDiff.ts";
import { type LineDifference, lineDiff } from "./lineDiff.ts";

/** Differences of both sides that touch, in half-open lines and offsets of the base. */
interface Meeting {
  readonly lines: { readonly start: number; end: number };
  readonly start: number;
  end: number;
  readonly ours: LineDifference[];
  readonly theirs: LineDifference[];
}

/**
 * Three-way merge. Different changes of the same or adjoining lines are a conflict: the error holds
 * one range of lines of `theirs` for each, empty where lines were only removed.
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
): Result<string, readonly LineRange[]> {
  if (base === theirs || ours === theirs) return ok(ours);
  if (base === ours) return ok(theirs);
  const conflicts: LineRange[] = [];
  let text = "";
  let position = 0;
  for (const cluster of meetingsOf(lineDiff(base, ours), lineDiff(base, theirs))) {
    const ourPart = partOf(ours, cluster.ours, cluster);
    const theirPart = partOf(theirs, cluster.theirs, cluster);
    if (ourPart !== null && theirPart !== null && ourPart !== theirPart)
      conflicts.push(changedLines(cluster.theirs));
    text += base.slice(position, cluster.start) + (ourPart ?? theirPart ?? "");
    position = cluster.end;
  }
  return conflicts.length > 0 ? err(conflicts) : ok(text + base.slice(position));
}

function meetingsOf(ours: readonly LineDifference[], theirs: readonly LineDifference[]): Meeting[] {
  const all = [
    ...ours.map((difference) => ({ difference, mine: true })),
    ...theirs.map((difference) => ({ difference, mine: false })),
  ];
  all.sort(
    (a, b) =>
      a.difference.beforeStart - b.difference.beforeStart ||
      a.difference.beforeEnd - b.difference.beforeEnd,
  );
  const meetings: Meeting[] = [];
  for (const { difference, mine } of all) {
    const { beforeLines, beforeStart, beforeEnd } = difference;
    let cluster = meetings.at(-1);
    if (!cluster || beforeLines.start > cluster.lines.end) {
      cluster = {
        lines: { ...beforeLines },
        start: beforeStart,
        end: beforeEnd,
        ours: [],
        theirs: [],
      };
      meetings.push(cluster);
    }
    cluster.lines.end = Math.max(cluster.lines.end, beforeLines.end);
    cluster.end = Math.max(cluster.end, beforeEnd);
    (mine ? cluster.ours : cluster.theirs).push(difference);
  }
  return meetings;
}

function partOf(
  text: string,
  differences: readonly LineDifference[],
  { start, end }: Meeting,
): string | null {
  const first = differences[0];
  const last = differences.at(-1);
  if (!first || !last) return null;
  return text.slice(
    first.afterStart - (first.beforeStart - start),
    last.afterEnd + (end - last.beforeEnd),
  );
}

function changedLines(differences: readonly LineDifference[]): LineRange {
  return {
    start: differences[0]?.afterLines.start ?? 0,
    end: differences.at(-1)?.afterLines.end ?? 0,
  };
}
