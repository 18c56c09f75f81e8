import type { OffsetRange } from "../../base/text/scan.ts";
import type { Definition } from "../paths/definition.ts";
import { MAX_DEPTH } from "../paths/elementPaths.ts";

/** A definition and the one around it. */
export interface Nested {
  readonly definition: Definition;
  readonly parent: Nested | null;
  /** 1 at the top level. */
  readonly depth: number;
}

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

function kindWithin(kind: string, parent: Nested | null): string {
  if (!parent || !TYPE_KINDS.has(parent.definition.kind)) return kind;
  if (kind === "function" || kind === "declaration") return "method";
  return kind === "variable" ? "property" : kind;
}

interface Frame extends OffsetRange {
  readonly nested: Nested | null;
  readonly kind: "element" | "local" | "sunk";
}

/** Drops objects without functions: only those make an object an element. */
function withoutEmptyObjects(all: readonly Nested[]): readonly Nested[] {
  const holding = new Set<Nested>();
  for (const nested of all.toReversed()) {
    const { parent, definition } = nested;
    if (
      parent?.definition.kind === "object" &&
      (definition.kind !== "object" || holding.has(nested))
    )
      holding.add(parent);
  }
  return all.filter((nested) => nested.definition.kind !== "object" || holding.has(nested));
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

/** A property declared among a constructor's parameters is a member of the constructor's class. */
function memberParent({ kind }: Definition, around: Frame | null): Nested | null {
  const nested = around?.nested ?? null;
  return kind === "property" &&
    around?.kind === "element" &&
    nested?.definition.kind === "constructor"
    ? nested.parent
    : nested;
}

/**
 * Nests definitions by their ranges, in one pass over both lists, which are in source order. Drops
 * local variables.
 */
export function nestDefinitions(
  definitions: readonly Definition[],
  locals: readonly OffsetRange[],
): readonly Nested[] {
  const frames: Frame[] = [];
  const placements: Nested[] = [];
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
        nested: around?.nested ?? null,
      });
    }
    const { start, end } = definition;
    const around = enter(definition, true);
    if (around?.kind === "sunk") continue;
    const parent = memberParent(definition, around);
    const kind = around?.kind === "element" ? kindWithin(definition.kind, parent) : definition.kind;
    // A statement may itself be a local range.
    const isWithin = kind !== "statement" || around?.start !== start;
    if (around?.kind === "local" && isWithin && LOCAL_KINDS.has(kind)) continue;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH) {
      frames.push({ start, end, kind: "sunk", nested: null });
      continue;
    }
    const nested = { definition: { ...definition, kind }, parent, depth };
    placements.push(nested);
    // The elements inside a statement do not have its name in their paths.
    if (kind !== "statement") frames.push({ start, end, kind: "element", nested });
  }
  return withoutEmptyObjects(placements);
}
