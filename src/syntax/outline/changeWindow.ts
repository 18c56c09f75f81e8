import type { OffsetRange } from "../../base/text/scan.ts";
import type { Match, UpdatedMatches } from "./matches.ts";
import type { MovedRanges } from "./movedRanges.ts";

/** The part of a text whose elements an edit may have changed. */
export interface ChangeWindow extends OffsetRange {
  /** Where it ended in the text before. */
  readonly oldEnd: number;
  /** What its elements depend on: the matches inside of it and around it. */
  readonly matches: readonly Match[];
}

/** Captures that say something about what stands beside them. */
interface Cluster {
  readonly start: number;
  readonly end: number;
  /** An element, whatever else it is. */
  isElement: boolean;
  isComment: boolean;
  isTail: boolean;
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
): ChangeWindow | null {
  const { hull } = moved;
  if (!hull) return null;
  const delta = hull.end - hull.oldEnd;
  const placed = (offset: number) =>
    offset < hull.start
      ? offset
      : Math.max(hull.start, offset > hull.oldEnd ? offset + delta : hull.end);
  let window: OffsetRange = { start: hull.start, end: hull.end };
  for (const range of [...alsoChanged, ...differing(removed, added, hull, placed)])
    window = joined(window, range);
  const before = removed.map((match) => {
    const { start, end } = match.extent;
    return { ...match, extent: { start: placed(start), end: placed(end) } };
  });
  window = grown(matches, before, window);
  const oldWindow = { start: window.start, end: window.end - delta };
  const isFrame = (around: OffsetRange) => (match: Match) => spans(match, around);
  const frames = added.filter(isFrame(window));
  const framesBefore = removed.filter(isFrame(oldWindow));
  if (frameKeys(frames) !== frameKeys(framesBefore)) return null;
  const inner = matches.filter(
    ({ extent }) => extent.start >= window.start && extent.end <= window.end,
  );
  const wrapped = frames.flatMap(({ wrapper }) => {
    const node = wrapper?.wrapped;
    return node && !(node.start < window.start && node.end > window.end) ? [node] : [];
  });
  const outer = wrapped.flatMap((node) =>
    matches.filter(
      ({ extent }) =>
        extent.start >= node.start &&
        extent.end <= node.end &&
        !(extent.start >= window.start && extent.end <= window.end),
    ),
  );
  return {
    ...window,
    oldEnd: oldWindow.end,
    matches: [...new Set([...frames, ...outer, ...inner])],
  };
}

function joined(a: OffsetRange, b: OffsetRange): OffsetRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** True for a match around a range that says nothing about what stands beside itself. */
function spans(match: Match, { start, end }: OffsetRange): boolean {
  const { extent, draft, head, packageName, ranges } = match;
  if (!(extent.start < start && extent.end > end)) return false;
  if (draft?.kind === "object" || head || packageName) return false;
  return ranges.every(({ capture }) => capture === "local");
}

/** Where matches that no change touches were dropped, or were found, but not again. */
function differing(
  removed: readonly Match[],
  added: readonly Match[],
  hull: OffsetRange & { readonly oldEnd: number },
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

function matchKey(
  { pattern, draft, extent, places, ranges, packageName }: Match,
  placed: (offset: number) => number,
): string {
  let key = `${pattern} ${draft?.kind} ${draft?.name}\n${draft?.owners.join("\n")}\n${packageName?.text}`;
  key += `\n${placed(extent.start)} ${placed(extent.end)} ${draft?.node.hasError}`;
  for (const { start, end } of places.slice(0, -2)) key += ` ${placed(start)} ${placed(end)}`;
  for (const { hasError } of ranges) key += ` ${hasError}`;
  return key;
}

/** What decides about the elements inside of these, but for their names. */
function frameKeys(frames: readonly Match[]): string {
  return frames
    .map(({ extent, pattern, draft, wrapper, ranges }) => ({
      extent,
      key: `${pattern} ${draft?.kind} ${draft?.isDeclaration} ${draft?.owners.length} ${draft?.body !== null} ${wrapper?.kind} ${ranges.length}`,
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
 * on each side that is as it was.
 */
function grown(
  matches: readonly Match[],
  removed: readonly Match[],
  changed: OffsetRange,
): OffsetRange {
  let core = changed;
  for (;;) {
    const whole = touched(removed, touched(matches, core));
    if (whole.start < core.start || whole.end > core.end) {
      core = whole;
      continue;
    }
    const { before, after, around } = clusters(matches, core);
    const start = edgeBefore(before, core.start);
    // The element below a comment at the end may be its owner.
    const end = edgesAfter(after, core.end).find((at) => !endsWithComment(matches, start, at));
    const window = { start, end: end ?? after.at(-1)?.end ?? core.end };
    const isOpen = end === undefined && around;
    const uncut = isOpen ? around : touched(removed, touched(matches, window, true), true);
    if (uncut.start >= window.start && uncut.end <= window.end) return window;
    core = joined(core, uncut);
  }
}

function endsWithComment(matches: readonly Match[], start: number, end: number): boolean {
  let comment = -1;
  let element = -1;
  for (const { extent, draft, ranges } of matches) {
    if (extent.start < start || extent.end > end) continue;
    if (ranges.some(({ capture }) => capture !== "local")) comment = Math.max(comment, extent.end);
    else if (draft && draft.kind !== "statement") element = Math.max(element, extent.end);
  }
  return comment >= 0 && comment >= element;
}

/** A range with all that it touches and that is not around it; `isCut` with what it cuts only. */
function touched(matches: readonly Match[], range: OffsetRange, isCut = false): OffsetRange {
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

/** The outermost matches before and after a range, within the innermost one around it. */
function clusters(
  matches: readonly Match[],
  range: OffsetRange,
): {
  readonly before: readonly Cluster[];
  readonly after: readonly Cluster[];
  readonly around: OffsetRange | null;
} {
  let from = -1;
  let to = Number.POSITIVE_INFINITY;
  for (const match of matches) {
    if (!spans(match, range)) continue;
    from = Math.max(from, match.extent.start);
    to = Math.min(to, match.extent.end);
  }
  const before: Cluster[] = [];
  const after: Cluster[] = [];
  for (const match of matches) {
    const { start, end } = match.extent;
    if (start <= from || end >= to || (end > range.start && start < range.end)) continue;
    const list = end <= range.start ? before : start >= range.end ? after : null;
    if (!list) continue;
    let cluster = list.at(-1);
    if (!cluster || start >= cluster.end) {
      cluster = { start, end, isElement: false, isComment: false, isTail: false };
      list.push(cluster);
    }
    if (start !== cluster.start) continue;
    const { ranges, draft, wrapper } = match;
    cluster.isTail ||= ranges.some(({ capture }) => capture === "tail" || capture === "marker");
    if (end !== cluster.end) continue;
    cluster.isElement ||= draft !== null || wrapper !== null;
    cluster.isComment ||= ranges.some(({ capture }) => capture !== "local");
  }
  return { before, after, around: from < 0 ? null : { start: from, end: to } };
}

function isEdge({ isElement, isComment }: Cluster): boolean {
  return isElement && !isComment;
}

function edgeBefore(before: readonly Cluster[], start: number): number {
  const edge = before.findLast((cluster) => isEdge(cluster) && !cluster.isTail) ?? before[0];
  return edge?.start ?? start;
}

/** The ends that a window may have, the nearest first. */
function edgesAfter(after: readonly Cluster[], end: number): readonly number[] {
  const first = after.findIndex(isEdge);
  const ends = after
    .filter((_, index) => first >= 0 && index >= first && !after[index + 1]?.isTail)
    .map((cluster) => cluster.end);
  return ends.length > 0 ? ends : [after.at(-1)?.end ?? end];
}
