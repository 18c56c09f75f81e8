import { err, type Result } from "../../base/result.ts";
import type { OffsetRange, OutlineEntry, PathError } from "../syntax.ts";
import type { Element, PathTable } from "./elementPaths.ts";
import { resolveElement } from "./resolveElement.ts";

/** Where a pinned element is now. */
interface Pin extends OffsetRange {
  /** True when an edit replaced its beginning: it is somewhere in the range, or gone. */
  readonly rewritten: boolean;
}

/**
 * The paths that elements had at one time, which keep naming these elements wherever edits move them. The model does not see that
 * numbers such as `#2` shift when an edit adds or removes an element of the same name.
 */
export class PinnedPaths<E extends Element> {
  private readonly shown: PathTable<E>;
  private readonly pins: Map<E, Pin>;

  constructor(shown: PathTable<E>) {
    this.shown = shown;
    this.pins = new Map(shown.elements.map((element) => [element, { ...element.range, rewritten: false }]));
  }

  /** Follows an edit that put `length` UTF-16 units in the place of `range`. */
  edited(range: OffsetRange, length: number): void {
    for (const [element, pin] of this.pins) this.pins.set(element, movedPin(pin, range, length));
  }

  /** The element of `now` that a path names. A path that named none when pinned is looked up in `now`. */
  resolve(path: string, now: PathTable<E>, entryOf: (element: E) => OutlineEntry): Result<E, PathError> {
    const found = resolveElement(now, path, entryOf);
    const meant = resolveElement(this.shown, path, entryOf);
    if (!meant.ok) return found;
    const current = found.ok ? found.value : null;
    // A new element of exactly this path wins over one that a suffix named.
    if (current?.path === path && meant.value.path !== path && this.shownAs(current, now) === null) return found;
    const element = this.find(meant.value, now, current);
    if (element) return { ok: true, value: element };
    const other = current && this.shownAs(current, now);
    return other ? err({ code: "reassigned", path, pinnedPath: other.path, line: entryOf(current).startLine }) : found;
  }

  /** A pinned element in `now`; null when it is gone or could be one of several. `likely` is what its path names there. */
  private find(element: E, now: PathTable<E>, likely: E | null): E | null {
    const pin = this.pins.get(element);
    if (!pin) return null;
    const isSame = (other: E) =>
      other.definition.name === element.definition.name && other.segmentStarts.length === element.segmentStarts.length;
    const { start, end } = pin;
    if (pin.rewritten) {
      const within = now.elements.filter((other) => isSame(other) && other.range.start < end && other.range.end > start);
      if (likely && within.includes(likely)) return likely;
      return within.length === 1 ? (within[0] ?? null) : null;
    }
    const around = now.elements.filter((other) => isSame(other) && other.kind === element.kind && holds(other.range, start));
    return around.at(-1) ?? null;
  }

  /** The pinned element that an element of `now` was, or null for a new one. */
  private shownAs(element: E, now: PathTable<E>): E | null {
    const { name } = element.definition;
    return this.shown.elements.find((pinned) => pinned.definition.name === name && this.find(pinned, now, null) === element) ?? null;
  }
}

function holds({ start, end }: OffsetRange, offset: number): boolean {
  return start <= offset && offset < end;
}

function movedPin(pin: Pin, range: OffsetRange, length: number): Pin {
  const { start, end, rewritten } = pin;
  const delta = length - (range.end - range.start);
  const isEmpty = start === end;
  // Text that returns where the element was may be the element.
  if (isEmpty && range.start <= start && range.end >= end) return { start: range.start, end: range.start + length, rewritten };
  if (range.end <= start) return { start: start + delta, end: end + delta, rewritten };
  if (range.start >= end) return pin;
  if (range.start > start) return { start, end: Math.max(end, range.end) + delta, rewritten };
  return { start: range.start, end: Math.max(end, range.end) + delta, rewritten: true };
}
