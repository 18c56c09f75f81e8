import type { OffsetRange } from "../../base/text/scan.ts";

/**
 * An addressable element, as a symbol query found it. It is nested by `parent`, and named by its
 * path once all are known; until then it is alone and has none.
 */
export interface Element extends OffsetRange {
  /** The name in a path; "" for none. */
  readonly name: string;
  readonly kind: string;
  /** The types it belongs to besides the element around it, the outermost first. */
  readonly owners: readonly string[];
  /**
   * True for a prototype or an overload signature, which does not stand for the definition of its
   * name.
   */
  readonly isDeclaration: boolean;
  /** Where its name begins. */
  readonly nameStart: number;
  /** The end of the outermost node, such as an `export` or a declaration. */
  readonly nodeEnd: number;
  /** True when its range may be wrong: its nodes hold a syntax error. */
  readonly isUncertain: boolean;
  readonly body: OffsetRange | null;
  /**
   * `between`: between two nodes, such as a parameter list and an `end`. `rest`: from a node to the
   * element's end.
   */
  readonly bodyStyle: "braces" | "between" | "indent" | "rest" | "section";
  /** A heading's level from 1 to 6, else 0. */
  readonly level: number;
  /** With decorators, modifiers and a separator after it, without comments. */
  readonly range: OffsetRange;
  /** The index of the element around it among those of its text; -1 for none. */
  readonly parent: number;
  readonly path: string;
  /** Where each segment of the path begins: a name may itself contain a `-`. */
  readonly segmentStarts: readonly number[];
  /** The segments without their numbers. */
  readonly names: readonly string[];
}

/** The segments of an element that has no path yet. */
export const UNNAMED: readonly never[] = [];

/** An element that only has a place, a name and a kind. */
export function plainElement({ start, end }: OffsetRange, name: string, kind: string): Element {
  return {
    start,
    end,
    nameStart: start,
    nodeEnd: end,
    isUncertain: false,
    name,
    kind,
    owners: [],
    isDeclaration: false,
    body: null,
    bodyStyle: "braces",
    level: 0,
    range: { start, end },
    parent: -1,
    path: "",
    segmentStarts: UNNAMED,
    names: UNNAMED,
  };
}

/** The same range so many UTF-16 units further on. */
export function movedRange({ start, end }: OffsetRange, delta: number): OffsetRange {
  return { start: start + delta, end: end + delta };
}

/** The same element so many UTF-16 units further on, with another parent. */
export function movedElement(element: Element, delta: number, parent: number): Element {
  const { start, end, nameStart, nodeEnd, range, body } = element;
  return {
    ...element,
    start: start + delta,
    end: end + delta,
    nameStart: nameStart + delta,
    nodeEnd: nodeEnd + delta,
    range: movedRange(range, delta),
    body: body && movedRange(body, delta),
    parent,
  };
}
