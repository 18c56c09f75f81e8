import type { OffsetRange } from "../../base/text/scan.ts";

/** What a name in a path stands for: what a symbol query found, or a language server's symbol. Not yet nested or named. */
export interface Definition extends OffsetRange {
  /** The name in a path; "" for none. */
  readonly name: string;
  readonly kind: string;
  /** The types it belongs to besides the element around it, the outermost first. */
  readonly owners: readonly string[];
  /** True for a prototype or an overload signature, which does not stand for the definition of its name. */
  readonly isDeclaration: boolean;
  /** Where its name begins, or for a symbol what precedes it, without attributes. */
  readonly nameStart: number;
  /** The end of the outermost node, such as an `export` or a declaration. */
  readonly nodeEnd: number;
  /** True when its range may be wrong: its nodes hold a syntax error, or a symbol's range seems to cover only a part. */
  readonly isUncertain: boolean;
  readonly body: OffsetRange | null;
  /** `between`: between two nodes, such as a parameter list and an `end`. `rest`: from a node to the element's end. */
  readonly bodyStyle: "braces" | "between" | "indent" | "rest" | "section";
  /** A heading's level from 1 to 6, else 0. */
  readonly level: number;
}

/** A definition that only has a place, a name and a kind. */
export function plainDefinition({ start, end }: OffsetRange, name: string, kind: string): Definition {
  const whole = { start, end, nameStart: start, nodeEnd: end, isUncertain: false };
  return { ...whole, name, kind, owners: [], isDeclaration: false, body: null, bodyStyle: "braces", level: 0 };
}
