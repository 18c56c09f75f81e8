import type { ChangeSet } from "@codemirror/state";
import { err, ok, type Result } from "../../base/result.ts";
import { splitLines } from "../../base/text/lines.ts";
import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { View } from "../../tools/files/viewedFiles.ts";
import type { ReplacedElement } from "../drafts/draft.ts";
import { slideOf } from "../drafts/lineMap.ts";
import { changesBetween, commonPrefix, commonSuffix, noChanges } from "../text/changeSet.ts";
import { excerpt } from "../text/excerpt.ts";
import { type LineDifference, type LineRange, lineDiff } from "../text/lineDiff.ts";
import type { BlockFailure } from "./capturedBlock.ts";

/** Compares the elements that blocks replace or delete with what the model saw of them. */
export interface ViewedElements {
  /**
   * A changed element is a conflict, one that the model never saw a warning. `draft` is the text that its offsets are in: the session's
   * text with the earlier blocks of the message, which the model knows. Calls must follow the order of the blocks.
   */
  check(blockId: string, element: ReplacedElement, draft: string): Result<readonly BlockWarning[], BlockFailure>;
  /** The blocks whose elements are others in the file as it is `now` than in the session's text. */
  changedIn(now: string): ReadonlySet<string>;
}

/** The lines of a text that the model saw, and how those of the text now differ. */
interface Comparison {
  readonly before: readonly string[];
  readonly runs: readonly LineDifference[];
}

/** An element in the lines of the text: both lines are 0-based and inclusive; the columns belong to the first and the last line. */
interface Place {
  readonly first: number;
  readonly firstColumn: number;
  readonly last: number;
  readonly lastColumn: number;
  /** The first line of the element itself, after its comments. */
  readonly core: number;
}

/** The check for a session that began with `base`. `views` gives what the model has seen of the file, newest first. */
export function viewedElements(base: string, views: () => readonly View[]): ViewedElements {
  let known: { readonly lines: readonly string[]; readonly starts: readonly number[] } | null = null;
  const now = () => {
    known ??= { lines: linesOf(base), starts: lineStarts(base) };
    return known;
  };
  const places = new Map<string, Place>();
  const compared = new Map<string, Comparison>();
  const compare = (text: string): Comparison => {
    const { lines } = now();
    let comparison = compared.get(text);
    if (!comparison) {
      const before = text === base ? lines : linesOf(text);
      comparison = { before, runs: text === base ? [] : changedLines(before, lines) };
      compared.set(text, comparison);
    }
    return comparison;
  };
  let latest = base;
  let own: ChangeSet = noChanges(base.length);
  const check: ViewedElements["check"] = (blockId, { start, elementStart, end, isSection }, draft) => {
    own = own.compose(changesBetween(latest, draft));
    latest = draft;
    const back = own.invertedDesc;
    const from = back.mapPos(start, 1);
    const to = back.mapPos(end, -1);
    if (from >= to) return ok([]);
    const { lines, starts } = now();
    const place = placeOf(starts, lines, { start: from, end: to }, back.mapPos(elementStart, 1));
    places.set(blockId, place);
    const open = new OpenLines(place);
    let forgotten = false;
    let copied = false;
    for (const view of views()) {
      if (view.text === null) {
        forgotten ||= view.first <= view.last;
        continue;
      }
      if (open.isEmpty) break;
      const { before, runs } = compare(view.text);
      copied ||= runs.some((run) => mayBeCopy(run, lines, place));
      const beside = isSection ? runs.filter((run) => adjoins(run, place) && isShown(run, { start: view.first - 1, end: view.last })) : [];
      const changed = [...beside, ...open.take(view, runs, (run) => changesElement(run, before, lines, place))];
      const [first] = changed;
      if (first) return err(conflict(first, changed.at(-1) ?? first, before, lines, place));
    }
    return ok(copied || open.hasUnseen(lines) ? [{ code: "never-read", forgotten }] : []);
  };
  const changedIn = (current: string): ReadonlySet<string> => {
    if (current === base || places.size === 0) return new Set();
    const { lines } = now();
    const other = linesOf(current);
    const runs = changedLines(other, lines);
    const changed = ([, place]: readonly [string, Place]) =>
      runs.some((run) => meets(run, place) && changesElement(run, other, lines, place));
    return new Set([...places].filter(changed).map(([blockId]) => blockId));
  };
  return { check, changedIn };
}

/** The lines of an element, and the joints between them, that no newer view shows. */
class OpenLines {
  private readonly place: Place;
  private readonly lines = new Set<number>();
  /** Each is the number of the line below it. */
  private readonly joints = new Set<number>();

  constructor(place: Place) {
    this.place = place;
    for (let line = place.first; line <= place.last; line++) {
      this.lines.add(line);
      if (line > place.first) this.joints.add(line);
    }
  }

  /** True when newer views show all of the element. */
  get isEmpty(): boolean {
    return this.lines.size === 0 && this.joints.size === 0;
  }

  /** Takes out what a view shows; gives the runs that changed what it showed. */
  take(view: View, runs: readonly LineDifference[], changes: (run: LineDifference) => boolean): readonly LineDifference[] {
    const { first, last } = this.place;
    const shown = { start: view.first - 1, end: view.last };
    const changed: LineDifference[] = [];
    const lines: number[] = [];
    const joints: number[] = [];
    const same = (from: number, to: number, delta: number) => {
      for (let line = Math.max(first, from, shown.start + delta); line < Math.min(last + 1, to, shown.end + delta); line++)
        lines.push(line);
      const edge = view.written ? 0 : 1;
      const end = Math.min(last + 1, to, shown.end + delta + 1 - edge);
      for (let line = Math.max(first + 1, from + 1, shown.start + delta + edge); line < end; line++) joints.push(line);
    };
    let line = 0;
    let delta = 0;
    for (const run of runs) {
      if (run.afterLines.start > last + 1) break;
      same(line, run.afterLines.start, delta);
      if (meets(run, this.place) && isShown(run, shown) && this.isOpen(run)) {
        if (changes(run)) changed.push(run);
        for (let inside = run.afterLines.start; inside < run.afterLines.end; inside++) lines.push(inside);
      }
      line = run.afterLines.end;
      delta = run.afterLines.end - run.beforeLines.end;
    }
    same(line, Number.POSITIVE_INFINITY, delta);
    for (const seen of lines) this.lines.delete(seen);
    for (const seen of joints) this.joints.delete(seen);
    return changed;
  }

  /** True when the model never saw a line of the element that has text. */
  hasUnseen(texts: readonly string[]): boolean {
    return [...this.lines].some((line) => line >= this.place.core && (texts[line] ?? "").trim() !== "");
  }

  private isOpen({ afterLines: now }: LineDifference): boolean {
    if (now.start === now.end) return now.start === this.place.first || this.joints.has(now.start);
    for (let line = now.start; line < now.end; line++) if (this.lines.has(line)) return true;
    return false;
  }
}

/** True where lines inserted beside equal ones may be the element: which of them the model saw cannot be told. */
function mayBeCopy({ beforeLines: before, afterLines: now }: LineDifference, lines: readonly string[], { first, last }: Place): boolean {
  if (before.start < before.end) return false;
  const { up, down } = slideOf((line) => lines[line], now);
  return up + down >= now.end - now.start && now.start - up <= first && last < now.end + down;
}

/** True when a run changed lines right above or below the element. */
function adjoins({ beforeLines: before, afterLines: now }: LineDifference, { first, last }: Place): boolean {
  return before.start < before.end && (now.end === first || now.start === last + 1);
}

/** True when a run changes or removes lines of the element, or right above it. */
function meets({ afterLines: now }: LineDifference, { first, last }: Place): boolean {
  return now.start === now.end ? first <= now.start && now.start <= last : now.start <= last && first < now.end;
}

/** True when a view shows what a run changed; for inserted lines, a line next to them. */
function isShown({ beforeLines: before }: LineDifference, shown: LineRange): boolean {
  if (before.start < before.end) return before.start < shown.end && shown.start < before.end;
  return before.start - 1 < shown.end && shown.start <= before.start && shown.start < shown.end;
}

/** A line that belongs to the element below it. */
const ATTRIBUTE = /^\s*(@\w|#!?\[|\[\w.*\]\s*$)/;

/** True when a run changes the element's own text, and not only what stands beside it in its first or last line. */
function changesElement(run: LineDifference, before: readonly string[], now: readonly string[], place: Place): boolean {
  const old = before.slice(run.beforeLines.start, run.beforeLines.end);
  // Whole lines were removed: inside the element, or an attribute above it.
  if (run.afterLines.start === run.afterLines.end) return run.afterLines.start > place.first || ATTRIBUTE.test(old.at(-1) ?? "");
  const oldText = old.join("\n");
  const newText = now.slice(run.afterLines.start, run.afterLines.end).join("\n");
  const prefix = commonPrefix(oldText, newText);
  const suffix = commonSuffix(oldText, newText, prefix);
  const end = newText.length - suffix;
  const elementStart = offsetIn(run.afterLines, now, place.first, place.firstColumn);
  const elementEnd = offsetIn(run.afterLines, now, place.last, place.lastColumn);
  const changed = newText.slice(prefix, end) + oldText.slice(prefix, oldText.length - suffix);
  // A changed word right before the element may have been a part of it: `static` in front of a method.
  if (end < elementStart && /^\w*[ \t]+$/.test(newText.slice(end, elementStart))) return /\w/.test(changed);
  if (end < elementStart || prefix > elementEnd) return false;
  if (end > elementStart && prefix < elementEnd) return true;
  return /[^\s,;]/.test(changed);
}

/** The offset of a place in the joined lines of a span; outside of them it is infinite. */
function offsetIn(span: LineRange, lines: readonly string[], line: number, column: number): number {
  if (line < span.start) return Number.NEGATIVE_INFINITY;
  if (line >= span.end) return Number.POSITIVE_INFINITY;
  return lines.slice(span.start, line).reduce((sum, text) => sum + text.length + 1, column);
}

/** Shows the changed lines and one on each side, as far as they belong to the element. */
function conflict(
  first: LineDifference,
  last: LineDifference,
  before: readonly string[],
  now: readonly string[],
  place: Place,
): BlockFailure {
  const above = first.afterLines.start > place.first ? 1 : 0;
  const below = last.afterLines.end <= place.last ? 1 : 0;
  const part = (lines: readonly string[], { start }: LineRange, { end }: LineRange) =>
    excerpt(lines.slice(Math.max(0, start - above), end + below));
  const shown = { before: part(before, first.beforeLines, last.beforeLines), now: part(now, first.afterLines, last.afterLines) };
  return { status: "conflict", reason: { code: "element-changed", ...shown } };
}

function placeOf(starts: readonly number[], lines: readonly string[], range: LineRange, core: number): Place {
  const first = lineAt(starts, range.start);
  // A range that ends at the beginning of a line does not hold that line.
  const last = Math.max(first, lineAt(starts, range.end - 1));
  const lastColumn = Math.min(range.end - (starts[last] ?? 0), (lines[last] ?? "").length);
  return { first, firstColumn: range.start - (starts[first] ?? 0), last, lastColumn, core: lineAt(starts, core) };
}

/** Without the blanks at line ends, which a save may trim. */
function linesOf(text: string): readonly string[] {
  return splitLines(text).map((line) => line.text.trimEnd());
}

/** Line breaks do not count. */
function changedLines(before: readonly string[], now: readonly string[]): readonly LineDifference[] {
  const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  return lineDiff(joined(before), joined(now));
}
