import { firstFrom } from "../../base/text/firstFrom.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { Match, UpdatedMatches } from "./matches.ts";
import type { Change, MovedRanges } from "./movedRanges.ts";

/** Matches, of which none touches what lies beside their range. */
interface Cluster extends OffsetRange {
  /** Those of `within` from one index up to another one. */
  readonly within: readonly Match[];
  readonly from: number;
  readonly to: number;
}

/**
 * The window of a change: what changed, what it touches, and on both sides the next element, so that
 * comments, attributes and tails stay with theirs. `alsoChanged` is in offsets of the new text. Null
 * when the whole text must be analyzed.
 */
export function changeWindow(
  { matches, removed, added }: UpdatedMatches,
  moved: MovedRanges,
  alsoChanged: readonly OffsetRange[],
): (OffsetRange & { readonly matches: readonly Match[] }) | null {
  const { hull } = moved;
  if (!hull) return null;
  const { delta } = moved;
  const placed = (offset: number) =>
    offset < hull.start
      ? offset
      : Math.max(hull.start, offset > hull.oldEnd ? offset + delta : hull.end);
  const before = removed.map(({ extent: { start, end }, kind, marks }) => {
    return { extent: { start: placed(start), end: placed(end) }, kind, marks };
  });
  const core = [...alsoChanged, ...differing(removed, added, hull, placed)].reduce(joined, {
    start: hull.start,
    end: hull.end,
  });
  const window = grown(matches, added, before, core);
  const oldWindow = { start: window.start, end: window.end - delta };
  const frames = added.filter((match) => spans(match, window));
  const framesBefore = removed.filter((match) => spans(match, oldWindow));
  if (frameKeys(frames) !== frameKeys(framesBefore)) return null;
  const isInner = ({ extent }: Match) => extent.start >= window.start && extent.end <= window.end;
  const outer = frames.flatMap(({ wrapped: node }) => {
    if (!node || (node.start < window.start && node.end > window.end)) return [];
    return matchesWithin(matches, node).filter((match) => !isInner(match));
  });
  return {
    ...window,
    matches: [...new Set([...frames, ...outer, ...matchesWithin(matches, window)])],
  };
}

function joined(a: OffsetRange, b: OffsetRange): OffsetRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The matches inside of a range, of a list in source order. */
function matchesWithin(matches: readonly Match[], { start, end }: OffsetRange): readonly Match[] {
  const from = firstFrom(matches, start, extentStart);
  return matches
    .slice(from, firstFrom(matches, end + 1, extentStart))
    .filter(({ extent }) => extent.end <= end);
}

function extentStart({ extent }: Match): number {
  return extent.start;
}

/** True for a match around a range that says nothing about what stands beside itself. */
function spans(
  { extent, kind, marks }: Pick<Match, "extent" | "kind" | "marks">,
  { start, end }: OffsetRange,
): boolean {
  if (!(extent.start < start && extent.end > end) || kind === "object") return false;
  return marks.every(({ capture }) => capture === "local");
}

/** Where matches that no change touches were dropped, or were found, but not again. */
function differing(
  removed: readonly Match[],
  added: readonly Match[],
  hull: Change,
  placed: (offset: number) => number,
): readonly OffsetRange[] {
  const unmoved = (offset: number) => offset;
  const beside = new Map<string, OffsetRange>();
  for (const match of removed) {
    const { start, end } = match.extent;
    if (end < hull.start || start > hull.oldEnd)
      beside.set(matchKey(match, placed), { start: placed(start), end: placed(end) });
  }
  const found: OffsetRange[] = [];
  for (const match of added) {
    const { start, end } = match.extent;
    if (end >= hull.start && start <= hull.end) continue;
    if (!beside.delete(matchKey(match, unmoved))) found.push(match.extent);
  }
  return [...found, ...beside.values()];
}

function matchKey(match: Match, placed: (offset: number) => number): string {
  const { pattern, root, extent, kind, name, owners, node, places, marks } = match;
  let key = `${pattern} ${kind} ${name}\n${owners.join("\n")}\n${node?.hasError}`;
  for (const place of [extent, ...places])
    if (place === extent || place !== root) key += ` ${placed(place.start)} ${placed(place.end)}`;
  for (const { hasError } of marks) key += ` ${hasError}`;
  return key;
}

/** What decides about the elements inside of these, but for their names. */
function frameKeys(frames: readonly Match[]): string {
  return frames
    .map(({ extent, pattern, kind, isDeclaration, owners, node, wrapped, marks }) => ({
      extent,
      key: `${pattern} ${kind} ${isDeclaration} ${owners.length} ${Boolean(node?.body)} ${Boolean(wrapped)} ${marks.length}`,
    }))
    .sort(
      (a, b) =>
        a.extent.start - b.extent.start || b.extent.end - a.extent.end || (a.key < b.key ? -1 : 1),
    )
    .map(({ key }) => key)
    .join("\n");
}

/**
 * Grows a range until it cuts no match, neither of those that were there before, and has an element
 * on each side that is as it was. Only `added` ones can be around it.
 */
function grown(
  matches: readonly Match[],
  added: readonly Match[],
  removed: readonly Pick<Match, "extent" | "kind" | "marks">[],
  changed: OffsetRange,
): OffsetRange {
  let core = changed;
  let around = innermostFrame(added, core);
  let clusters = clustersWithin(matches, around);
  for (;;) {
    const wider = innermostFrame(added, core);
    if (wider !== around) {
      around = wider;
      clusters = clustersWithin(matches, around);
    }
    const touching = clusters.filter((cluster) => isTouching(cluster, core));
    const whole = touched(removed, touching.reduce(joined, core));
    if (whole.start < core.start || whole.end > core.end) {
      core = whole;
      continue;
    }
    const first = clusters.findIndex((cluster) => cluster.end > core.start);
    const before = first < 0 ? clusters : clusters.slice(0, first);
    const start = edgeBefore(before, core.start);
    const end = edgeAfter(clusters, start, core.end);
    const last = clusters.at(-1)?.end ?? core.end;
    const window = { start, end: end ?? Math.max(last, core.end) };
    const uncut = end === null && around ? around : touched([...removed, ...added], window, true);
    if (uncut.start >= window.start && uncut.end <= window.end) return window;
    core = joined(core, uncut);
  }
}

/** The innermost match around a range. */
function innermostFrame(matches: readonly Match[], range: OffsetRange): OffsetRange | null {
  let found: OffsetRange | null = null;
  for (const match of matches) {
    if (spans(match, range) && (!found || match.extent.start >= found.start)) found = match.extent;
  }
  return found;
}

function isTouching(a: OffsetRange, b: OffsetRange): boolean {
  return a.start <= b.end && a.end >= b.start;
}

/** A range with all that it touches and that is not around it; `isCut` with what it cuts only. */
function touched(
  matches: readonly Pick<Match, "extent" | "kind" | "marks">[],
  range: OffsetRange,
  isCut = false,
): OffsetRange {
  let { start, end } = range;
  for (const match of matches) {
    const { extent } = match;
    const isBeside = isCut
      ? extent.end <= start || extent.start >= end
      : extent.end < start || extent.start > end;
    if (isBeside || spans(match, { start, end })) continue;
    start = Math.min(start, extent.start);
    end = Math.max(end, extent.end);
  }
  return { start, end };
}

/** The outermost matches inside of a range, or of all. */
function clustersWithin(matches: readonly Match[], around: OffsetRange | null): readonly Cluster[] {
  const clusters: Cluster[] = [];
  const inside = around
    ? matches
        .slice(
          firstFrom(matches, around.start, extentStart),
          firstFrom(matches, around.end, extentStart),
        )
        .filter(({ extent }) => extent.start > around.start || extent.end < around.end)
    : matches;
  let from = 0;
  let [start, end] = [-1, -1];
  for (const [at, { extent }] of inside.entries()) {
    if (extent.start >= end) {
      if (at > from) clusters.push({ start, end, within: inside, from, to: at });
      [from, start, end] = [at, extent.start, extent.end];
    } else if (extent.end > end) end = extent.end;
  }
  if (inside.length > from) clusters.push({ start, end, within: inside, from, to: inside.length });
  return clusters;
}

function matchesOf({ within, from, to }: Cluster): readonly Match[] {
  return within.slice(from, to);
}

function hasMark({ marks }: Match): boolean {
  return marks.some(({ capture }) => capture !== "local");
}

/** True for an element, whatever else it is, that is no comment. */
function isEdge(cluster: Cluster): boolean {
  const { start, end } = cluster;
  const whole = matchesOf(cluster).filter(
    ({ extent }) => extent.start === start && extent.end === end,
  );
  return whole.some(({ node }) => node) && !whole.some(hasMark);
}

/** True for what continues the element before it. */
function isTail(cluster: Cluster): boolean {
  return matchesOf(cluster).some(
    ({ extent, marks }) =>
      extent.start === cluster.start &&
      marks.some(({ capture }) => capture === "tail" || capture === "marker"),
  );
}

function edgeBefore(before: readonly Cluster[], start: number): number {
  const edge = before.findLast((cluster) => isEdge(cluster) && !isTail(cluster)) ?? before[0];
  return edge?.start ?? start;
}

/**
 * The nearest end that a window from `start` may have behind `core`: that of an element, or of all
 * where none follows. Null where it would end with a comment: the element below may be its owner.
 */
function edgeAfter(clusters: readonly Cluster[], start: number, core: number): number | null {
  let hasEdge = false;
  let [end, markEnd, elementEnd] = [core, -1, -1];
  const endsWithMark = () => markEnd >= 0 && markEnd >= elementEnd;
  for (const [at, cluster] of clusters.entries()) {
    if (cluster.start < start) continue;
    for (const match of matchesOf(cluster)) {
      const { end } = match.extent;
      if (hasMark(match)) markEnd = Math.max(markEnd, end);
      else if (match.node && !match.wrapped && match.kind !== "statement")
        elementEnd = Math.max(elementEnd, end);
    }
    end = Math.max(end, cluster.end);
    hasEdge ||= cluster.start >= core && isEdge(cluster);
    const next = clusters[at + 1];
    if (hasEdge && !(next && isTail(next)) && !endsWithMark()) return end;
  }
  return hasEdge || endsWithMark() ? null : end;
}
