import { err, ok, type Result } from "../../base/result.ts";
import { type OffsetRange, skipSpaceBack } from "../../base/text/scan.ts";
import type { PathError } from "../syntax.ts";
import type { Element } from "./element.ts";
import type { PathTable } from "./elementPaths.ts";
import { namedElements, onlyElement } from "./resolveElement.ts";

/** Bodies without a closing sign. */
const OPEN_STYLES = new Set(["indent", "rest", "section"]);

/** Where a pinned element is now. */
interface Pin extends OffsetRange {
  /**
   * The end with what edits inserted below the element: an open body takes it in, other elements
   * must not.
   */
  readonly openEnd: number;
  /** True when an edit replaced its beginning: it is somewhere in the range, or gone. */
  readonly rewritten: boolean;
}

/**
 * The paths that elements had at one time, which keep naming these elements wherever edits move
 * them. The model does not see that numbers such as `#2` shift when an edit adds or removes an
 * element of the same name.
 */
export class PinnedPaths {
  private readonly shown: PathTable;
  /** As they were after some of the edits. */
  private readonly pins: Map<Element, { readonly pin: Pin; readonly edits: number }>;
  private readonly edits: ((pin: Pin) => Pin)[] = [];

  constructor(shown: PathTable) {
    this.shown = shown;
    this.pins = new Map(
      shown.elements.map((element) => {
        const { start, end } = element.range;
        return [element, { pin: { start, end, openEnd: end, rewritten: false }, edits: 0 }];
      }),
    );
  }

  /** Follows an edit of `before` that put `length` UTF-16 units in the place of `range`. */
  edited(before: string, range: OffsetRange, length: number): void {
    const codeEnd = range.start === range.end ? skipSpaceBack(before, range.start) : range.start;
    this.edits.push((pin) => movedPin(pin, range, length, codeEnd));
  }

  /** Where a pinned element is now: only those that are asked for follow the edits. */
  private pinOf(element: Element): Pin | undefined {
    const known = this.pins.get(element);
    if (!known || known.edits === this.edits.length) return known?.pin;
    let { pin } = known;
    for (const move of this.edits.slice(known.edits)) pin = move(pin);
    this.pins.set(element, { pin, edits: this.edits.length });
    return pin;
  }

  /**
   * The element of `now` that a path names. A path that named none when pinned is looked up in
   * `now`.
   */
  resolve(path: string, now: PathTable, body?: readonly string[]): Result<Element, PathError> {
    const { text } = now;
    const found = namedElements(now, path, body);
    const shown = namedElements(this.shown, path, body);
    const current = (found.length === 1 && found[0]) || null;
    const meant = (shown.length === 1 && shown[0]) || null;
    if (!meant && current) return this.withinPin(current, now, path);
    // A new element of exactly this path wins over one that a suffix named.
    const isNew = current?.path === path && meant?.path !== path;
    const element =
      meant && !(isNew && !this.shownAs(current, now)) ? this.find(meant, now, current) : null;
    if (meant && element)
      return this.keepsTo(meant, element, text)
        ? ok(element)
        : err({ code: "boundary-changed", path });
    const other = meant && current && this.shownAs(current, now);
    return other
      ? err({
          code: "reassigned",
          path,
          pinnedPath: other.path,
          line: now.entryOf(current).startLine,
        })
      : onlyElement(found, now, path);
  }

  /**
   * The element of `old` that a path names and that edits only moved, with the distance; null when
   * that is not certain. `old` is an earlier state of the text, `movedBy` the distance of an
   * element in it, null for one that changed.
   */
  resolveMoved(
    path: string,
    old: PathTable,
    movedBy: (element: Element) => number | null,
    text: string,
    body?: readonly string[],
  ): { readonly element: Element; readonly delta: number } | null {
    const [meant, ...others] = namedElements(this.shown, path, body);
    if (!meant || others.length > 0) return null;
    // A suffix may mean a new element.
    if (meant.path !== path && meant.names.join("-") !== path) return null;
    const pin = this.pinOf(meant);
    if (!pin || pin.rewritten) return null;
    for (const element of old.byLastName(meant.name)) {
      const delta =
        element.kind === meant.kind && isAsDeep(element, meant) ? movedBy(element) : null;
      if (delta === null || element.range.start + delta !== pin.start) continue;
      const range = { start: pin.start, end: element.range.end + delta };
      return this.keepsTo(meant, { ...element, range }, text) ? { element, delta } : null;
    }
    return null;
  }

  /** An element that its path of today found. */
  private withinPin(element: Element, now: PathTable, path: string): Result<Element, PathError> {
    const shown = this.shownAs(element, now);
    return shown && !this.keepsTo(shown, element, now.text)
      ? err({ code: "boundary-changed", path })
      : ok(element);
  }

  /**
   * True when an element of today begins and ends where the pinned one does, but for white space
   * and separators.
   */
  private keepsTo(pinned: Element, { range, bodyStyle }: Element, text: string): boolean {
    const pin = this.pinOf(pinned);
    if (!pin) return true;
    const isNear = (a: number, b: number) =>
      /^[\s,;]*$/.test(text.slice(Math.min(a, b), Math.max(a, b)));
    const last = OPEN_STYLES.has(bodyStyle) ? pin.openEnd : pin.end;
    if (pin.rewritten) {
      return (
        (range.start >= pin.start || isNear(range.start, pin.start)) &&
        (range.end <= last || isNear(range.end, last))
      );
    }
    return (
      isNear(range.start, pin.start) &&
      (isNear(range.end, pin.end) || (range.end > pin.end && range.end <= last))
    );
  }

  /**
   * A pinned element in `now`; null when it is gone or could be one of several. `likely` is what
   * its path names there.
   */
  private find(element: Element, now: PathTable, likely: Element | null): Element | null {
    const pin = this.pinOf(element);
    if (!pin) return null;
    const { start, end } = pin;
    const named = now.byLastName(element.name).filter((other) => isAsDeep(other, element));
    if (pin.rewritten) {
      const within = named.filter((other) => other.range.start < end && other.range.end > start);
      if (likely && within.includes(likely)) return likely;
      return within.length === 1 ? (within[0] ?? null) : null;
    }
    return (
      named.findLast(
        ({ kind, range }) => kind === element.kind && range.start <= start && start < range.end,
      ) ?? null
    );
  }

  /** The pinned element that an element of `now` was, or null for a new one. */
  private shownAs(element: Element, now: PathTable): Element | null {
    return (
      this.shown
        .byLastName(element.name)
        .find((pinned) => this.find(pinned, now, null) === element) ?? null
    );
  }
}

function isAsDeep(a: Element, b: Element): boolean {
  return a.segmentStarts.length === b.segmentStarts.length;
}

/**
 * A pin after an edit that put `length` UTF-16 units in the place of `range`; the text above an
 * insertion ends at `codeEnd`.
 */
function movedPin(pin: Pin, range: OffsetRange, length: number, codeEnd: number): Pin {
  const { start, end, openEnd, rewritten } = pin;
  const delta = length - (range.end - range.start);
  const isEmpty = start === end;
  // Text that returns where the element was may be the element.
  if (isEmpty && range.start <= start && range.end >= end) {
    return {
      start: range.start,
      end: range.start + length,
      openEnd: range.start + length,
      rewritten,
    };
  }
  const moved = (offset: number) => Math.max(offset, range.end) + delta;
  if (range.end <= start)
    return { start: start + delta, end: end + delta, openEnd: openEnd + delta, rewritten };
  if (range.start >= end) {
    const isBelow = range.start < openEnd || (range.start === range.end && codeEnd <= openEnd);
    return isBelow ? { ...pin, openEnd: moved(openEnd) } : pin;
  }
  if (range.start > start) return { start, end: moved(end), openEnd: moved(openEnd), rewritten };
  return { start: range.start, end: moved(end), openEnd: moved(openEnd), rewritten: true };
}
