import type { ChangeSet } from "@codemirror/state";
import { err, ok, type Result } from "../../base/result.ts";
import { splitLines } from "../../base/text/lines.ts";
import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { View } from "../../tools/files/viewedFiles.ts";
import { excerpt } from "../../turns/blockReason.ts";
import type { Failure } from "../block.ts";
import { slideOf } from "../place/mapLines.ts";
import type { ReplacedElement } from "../place/placer.ts";
import { changesBetween, noChanges } from "../text/changeSet.ts";
import { type LineDifference, type LineRange, lineDiffOf } from "../text/lineDiff.ts";

/** Compares the elements that blocks replace or delete with what the model saw of them. */
export interface ViewedElements {
  /**
   * A changed element is a conflict, one that the model never saw a warning. `draft` is the text
   * that its offsets are in: the session's text with the earlier blocks of the message, which the
   * model knows. Calls must follow the order of the blocks.
   */
  check(
    blockId: string,
    element: ReplacedElement,
    draft: string,
  ): Result<readonly BlockWarning[], Failure>;
  /** The blocks whose elements are others in the file as it is `now` than in the session's text. */
  changedIn(now: string): ReadonlySet<string>;
}

/** The lines of a text that the model saw, and how those of the text now differ. */
interface Comparison {
  readonly before: readonly string[];
  readonly runs: readonly LineDifference[];
}

/** The lines of an element in the text: 0-based and inclusive. */
interface ViewedPlace {
  readonly first: number;
  readonly last: number;
  /** The first line of the element itself, after its comments. */
  readonly core: number;
}

/** The check for a session that began with `base`; `views` are newest first. */
export function viewedElements(base: string, views: () => readonly View[]): ViewedElements {
  const lines = trimmedLines(base);
  const starts = lineStarts(base);
  const places = new Map<string, ViewedPlace>();
  const compared = new Map<string, Comparison>([[base, { before: lines, runs: [] }]]);
  const compare = (text: string): Comparison => {
    const known = compared.get(text);
    if (known) return known;
    const before = trimmedLines(text);
    const comparison = { before, runs: lineDiffOf(before, lines) };
    compared.set(text, comparison);
    return comparison;
  };
  let latest = base;
  let own: ChangeSet = noChanges(base.length);
  const check: ViewedElements["check"] = (
    blockId,
    { start, elementStart, end, isSection },
    draft,
  ) => {
    own = own.compose(changesBetween(latest, draft));
    latest = draft;
    const back = own.invertedDesc;
    const from = back.mapPos(start, 1);
    const to = back.mapPos(end, -1);
    if (from >= to) return ok([]);
    const first = lineAt(starts, from);
    // A range that ends at the beginning of a line does not hold that line.
    const last = Math.max(first, lineAt(starts, to - 1));
    const place = { first, last, core: lineAt(starts, back.mapPos(elementStart, 1)) };
    places.set(blockId, place);
    const viewed = inViews(views(), compare, lines, place, isSection ?? false);
    if (!viewed.ok) return viewed;
    const { unseen, copied, forgotten } = viewed.value;
    const isUnread = lines
      .slice(place.core, last + 1)
      .some((line, at) => line !== "" && unseen.has(pointOf(place.core + at)));
    const text = base.slice(back.mapPos(elementStart, 1), to).replace(/[\s,;]+$/, "");
    const isOwn = () => views().some(({ own }) => own?.includes(text));
    return ok(copied || (isUnread && !isOwn()) ? [{ code: "never-read", forgotten }] : []);
  };
  const changedIn = (current: string): ReadonlySet<string> => {
    if (current === base || places.size === 0) return new Set();
    const { before, runs } = compare(current);
    const changed = ([, place]: readonly [string, ViewedPlace]) =>
      runs.some((run) => meets(run, place) && changesElement(run, before, lines, place));
    return new Set([...places].filter(changed).map(([blockId]) => blockId));
  };
  return { check, changedIn };
}

/** What the model has not seen of a place, as points; a change that it has not seen is a conflict. */
function inViews(
  views: readonly View[],
  compare: (text: string) => Comparison,
  lines: readonly string[],
  place: ViewedPlace,
  isSection: boolean,
): Result<
  {
    readonly unseen: ReadonlySet<number>;
    /** True where a copy of it may have been put beside it since. */
    readonly copied: boolean;
    /** True where the text of a view is no longer known. */
    readonly forgotten: boolean;
  },
  Failure
> {
  const unseen = new Set<number>();
  for (let point = pointOf(place.first); point <= pointOf(place.last); point++) unseen.add(point);
  let forgotten = false;
  let copied = false;
  for (const view of views) {
    if (view.text === null) {
      forgotten ||= view.first <= view.last;
      continue;
    }
    if (unseen.size === 0) break;
    const { before, runs } = compare(view.text);
    copied ||= runs.some((run) => mayBeCopy(run, lines, place));
    const shown = runs.filter((run) => isShown(run, { start: view.first - 1, end: view.last }));
    const changed = shown.filter((run) => {
      if (isSection && adjoins(run, place)) return true;
      return (
        meets(run, place) &&
        isUnseen(run, unseen, place) &&
        changesElement(run, before, lines, place)
      );
    });
    const [top] = changed;
    if (top) return err(conflict(top, changed.at(-1) ?? top, before, lines, place));
    for (const { afterLines } of shown)
      remove(unseen, pointOf(afterLines.start), pointOf(afterLines.end - 1));
    removeShown(unseen, view, runs, place);
  }
  return ok({ unseen, copied, forgotten });
}

/** A line as a point of its text. Between those of two lines is the point where they meet. */
function pointOf(line: number): number {
  return 2 * line;
}

/** Takes out the unchanged lines that a view shows; lines the model wrote also show their edges. */
function removeShown(
  unseen: Set<number>,
  view: View,
  runs: readonly LineDifference[],
  { last }: ViewedPlace,
): void {
  const edge = view.written ? 1 : 0;
  let line = 0;
  let delta = 0;
  const same = (end: number) => {
    const from = Math.max(pointOf(line), pointOf(view.first - 1 + delta) - edge);
    remove(unseen, from, Math.min(pointOf(end - 1), pointOf(view.last - 1 + delta) + edge));
  };
  for (const { beforeLines, afterLines } of runs) {
    same(afterLines.start);
    line = afterLines.end;
    delta = afterLines.end - beforeLines.end;
  }
  same(last + 1);
}

function remove(points: Set<number>, first: number, last: number): void {
  for (const point of points) if (first <= point && point <= last) points.delete(point);
}

/** True where no newer view shows what a run changed. */
function isUnseen(
  { afterLines: { start, end } }: LineDifference,
  unseen: ReadonlySet<number>,
  { first }: ViewedPlace,
): boolean {
  if (start === end) return start === first || unseen.has(pointOf(start) - 1);
  for (let line = start; line < end; line++) if (unseen.has(pointOf(line))) return true;
  return false;
}

/** True where inserted lines may be the element: which of equal ones the model saw is unknown. */
function mayBeCopy(
  { beforeLines: before, afterLines: now }: LineDifference,
  lines: readonly string[],
  { first, last }: ViewedPlace,
): boolean {
  if (before.start < before.end) return false;
  const { up, down } = slideOf((line) => lines[line], now);
  return up + down >= now.end - now.start && now.start - up <= first && last < now.end + down;
}

function adjoins(
  { beforeLines: before, afterLines: now }: LineDifference,
  { first, last }: ViewedPlace,
): boolean {
  return before.start < before.end && (now.end === first || now.start === last + 1);
}

/** True when a run changes or removes lines of the element, or right above it. */
function meets({ afterLines: now }: LineDifference, { first, last }: ViewedPlace): boolean {
  return now.start === now.end
    ? first <= now.start && now.start <= last
    : now.start <= last && first < now.end;
}

/** True when a view shows what a run changed; for inserted lines, a line next to them. */
function isShown({ beforeLines: before }: LineDifference, shown: LineRange): boolean {
  if (before.start < before.end) return before.start < shown.end && shown.start < before.end;
  return before.start - 1 < shown.end && shown.start <= before.start && shown.start < shown.end;
}

/** A line that belongs to the element below it. */
const ATTRIBUTE = /^\s*(@\w|#!?\[|\[\w.*\]\s*$)/;

/** True when a run changes lines of the element, and more than the separator after its last one. */
function changesElement(
  { beforeLines, afterLines }: LineDifference,
  before: readonly string[],
  now: readonly string[],
  { first, last }: ViewedPlace,
): boolean {
  const old = before.slice(beforeLines.start, beforeLines.end);
  // Whole lines were removed: inside the element, or an attribute above it.
  if (afterLines.start === afterLines.end)
    return afterLines.start > first || ATTRIBUTE.test(old.at(-1) ?? "");
  const withoutSeparator = (line: string | undefined) => line?.replace(/[\s,;]+$/, "");
  return afterLines.start < last || withoutSeparator(old[0]) !== withoutSeparator(now[last]);
}

/** Shows the changed lines and one on each side, as far as they belong to the element. */
function conflict(
  first: LineDifference,
  last: LineDifference,
  before: readonly string[],
  now: readonly string[],
  place: ViewedPlace,
): Failure {
  const above = first.afterLines.start > place.first ? 1 : 0;
  const below = last.afterLines.end <= place.last ? 1 : 0;
  const part = (lines: readonly string[], { start }: LineRange, { end }: LineRange) =>
    excerpt(lines.slice(Math.max(0, start - above), end + below));
  const shown = {
    before: part(before, first.beforeLines, last.beforeLines),
    now: part(now, first.afterLines, last.afterLines),
  };
  return { status: "conflict", reason: { code: "element-changed", ...shown } };
}

/** Without the blanks at line ends, which a save may trim. */
function trimmedLines(text: string): readonly string[] {
  return splitLines(text).map((line) => line.text.trimEnd());
}
