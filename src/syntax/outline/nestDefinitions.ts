import type { OffsetRange } from "../../base/text/scan.ts";
import type { Element } from "../paths/element.ts";
import { MAX_DEPTH } from "../paths/elementPaths.ts";

/** Kinds that are not elements where they are local. */
const LOCAL_KINDS = new Set([
  "variable",
  "constant",
  "property",
  "declaration",
  "heading",
  "statement",
]);

const TYPE_KINDS = new Set([
  "class",
  "interface",
  "struct",
  "enum",
  "record",
  "union",
  "trait",
  "impl",
]);

function kindWithin(kind: string, parent: Element | undefined): string {
  if (!parent || !TYPE_KINDS.has(parent.kind)) return kind;
  if (kind === "function" || kind === "declaration") return "method";
  return kind === "variable" ? "property" : kind;
}

interface Frame extends OffsetRange {
  /** The index of the innermost element here; -1 for none. */
  readonly element: number;
  readonly kind: "element" | "local" | "sunk";
}

/** Those with a name, but no objects without functions: only those make an object an element. */
function addressed(all: readonly Element[]): readonly Element[] {
  const isObject = ({ kind }: Element) => kind === "object";
  const holding = new Set<number>();
  for (let index = all.length - 1; index >= 0; index--) {
    const element = all[index];
    const parent = element && all[element.parent];
    if (parent && isObject(parent) && (!isObject(element) || holding.has(index)))
      holding.add(element.parent);
  }
  const indexes = new Map<number, number>();
  return all.flatMap((element, index) => {
    if (element.name === "" || (isObject(element) && !holding.has(index))) return [];
    indexes.set(index, indexes.size);
    const parent = indexes.get(element.parent) ?? -1;
    return [element.parent === parent ? element : { ...element, parent }];
  });
}

/**
 * A local range opens before an element with the same start: a block and its only statement share
 * their range.
 */
function isBefore(local: OffsetRange, definition: OffsetRange): boolean {
  return (
    local.start < definition.start ||
    (local.start === definition.start && local.end >= definition.end)
  );
}

/**
 * Nests definitions by their ranges, in one pass over both lists, which are in source order. Drops
 * local variables and what has no name. The elements have no paths yet; `rangeOf` finds their ranges.
 */
export function nestDefinitions(
  definitions: readonly Element[],
  locals: readonly OffsetRange[],
  rangeOf: (definition: Element, kind: string) => OffsetRange,
): readonly Element[] {
  const frames: Frame[] = [];
  const elements: Element[] = [];
  const depths: number[] = [];
  let nextLocal = 0;

  const enter = ({ start, end }: OffsetRange, isElement: boolean): Frame | null => {
    for (let top = frames.at(-1); top; top = frames.at(-1)) {
      // Two elements with the same range (`a, b int`) are siblings.
      const twin = isElement && top.kind === "element" && top.start === start && top.end === end;
      if (top.end > start && !twin) return top;
      frames.pop();
    }
    return null;
  };

  for (const definition of definitions) {
    for (
      let local = locals[nextLocal];
      local && isBefore(local, definition);
      local = locals[++nextLocal]
    ) {
      const around = enter(local, false);
      const { start, end } = local;
      frames.push({
        start,
        end,
        kind: around?.kind === "sunk" ? "sunk" : "local",
        element: around?.element ?? -1,
      });
    }
    const { start, end } = definition;
    const around = enter(definition, true);
    if (around?.kind === "sunk") continue;
    const parent = memberParent(definition, around, elements);
    const isMember = around?.kind === "element";
    const kind = isMember ? kindWithin(definition.kind, elements[parent]) : definition.kind;
    // A statement may itself be a local range.
    const isWithin = kind !== "statement" || around?.start !== start;
    if (around?.kind === "local" && isWithin && LOCAL_KINDS.has(kind)) continue;
    const depth = (depths[parent] ?? 0) + 1;
    if (depth > MAX_DEPTH) {
      frames.push({ start, end, kind: "sunk", element: -1 });
      continue;
    }
    // The elements inside a statement do not have its name in their paths.
    if (kind !== "statement")
      frames.push({ start, end, kind: "element", element: elements.length });
    elements.push({ ...definition, kind, parent, range: rangeOf(definition, kind) });
    depths.push(depth);
  }
  return addressed(elements);
}

/** A property declared among a constructor's parameters is a member of the constructor's class. */
function memberParent(
  { kind }: Element,
  around: Frame | null,
  elements: readonly Element[],
): number {
  const index = around?.element ?? -1;
  const element = elements[index];
  const isParameter = around?.kind === "element" && element?.kind === "constructor";
  return kind === "property" && element && isParameter ? element.parent : index;
}
