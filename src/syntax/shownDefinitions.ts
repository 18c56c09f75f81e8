import type { Definition, Definitions } from "./definitions.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/**
 * The definitions without the statements that are something else: another definition, a comment, an attribute, or a part of the import
 * section. `none` is the kind of what looks like a statement and is no element at all.
 */
export function shownDefinitions(found: Definitions, imports: OffsetRange): Definition[] {
  const { definitions, comments, attributes } = found;
  const isStatement = ({ kind }: Definition) => kind === "statement";
  const others = [...definitions.filter((definition) => !isStatement(definition)), ...comments, ...attributes];
  const starts = new Set(others.map(({ start }) => start));
  const isHidden = ({ start, end }: Definition) => starts.has(start) || (start < imports.end && end > imports.start);
  return definitions.filter((definition) => definition.kind !== "none" && !(isStatement(definition) && isHidden(definition)));
}
