import type { Definition, Definitions } from "./definitions.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/**
 * The definitions without the statements that are something else: another definition, a comment, an attribute, or a part of the import
 * section. `none` is the kind of what looks like a statement and is no element at all.
 */
export function shownDefinitions(found: Definitions, imports: OffsetRange): Definition[] {
  const { definitions, comments, attributes } = found;
  const isStatement = ({ kind }: Definition) => kind === "statement";
  const ends = new Map<number, number>();
  for (const { start, end } of [...definitions.filter((definition) => !isStatement(definition)), ...comments, ...attributes]) {
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  }
  // A definition may lack the `;` that a statement ends with.
  const isHidden = ({ start, end }: Definition) => (ends.get(start) ?? 0) >= end - 1 || (start < imports.end && end > imports.start);
  return definitions.filter((definition) => definition.kind !== "none" && !(isStatement(definition) && isHidden(definition)));
}
