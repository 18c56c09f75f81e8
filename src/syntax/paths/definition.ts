import type { OffsetRange } from "../../base/text/scan.ts";

/**
 * What a name in a path stands for, as a symbol query found it. Not yet nested or named.
 */
export interface Definition extends OffsetRange {
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
}

/** A definition that only has a place, a name and a kind. */
export function plainDefinition(
  { start, end }: OffsetRange,
  name: string,
  kind: string,
): Definition {
  const whole = { start, end, nameStart: start, nodeEnd: end, isUncertain: false };
  return {
    ...whole,
    name,
    kind,
    owners: [],
    isDeclaration: false,
    body: null,
    bodyStyle: "braces",
    level: 0,
  };
}

/** The same range so many UTF-16 units further on. */
export function movedRange({ start, end }: OffsetRange, delta: number): OffsetRange {
  return { start: start + delta, end: end + delta };
}

/** The same definition so many UTF-16 units further on. */
export function movedDefinition(definition: Definition, delta: number): Definition {
  const { nameStart, nodeEnd, body } = definition;
  return {
    ...definition,
    ...movedRange(definition, delta),
    nameStart: nameStart + delta,
    nodeEnd: nodeEnd + delta,
    body: body && movedRange(body, delta),
  };
}
