import type { Definition, Definitions } from "./definitions.ts";
import { detachedComments } from "./detachedComments.ts";
import type { Surroundings } from "./surroundings.ts";
import type { OffsetRange } from "./syntaxTypes.ts";

/** What may hold elements that are written in the first column. */
const OPEN_KINDS = new Set(["namespace", "module", "heading"]);

/**
 * The definitions without the statements that are something else: another definition, a comment, an attribute, or a part of the import
 * section. `none` is the kind of what looks like a statement and is no element at all. Comments that belong to no element are added.
 */
export function shownDefinitions(found: Definitions, imports: OffsetRange, text: string, around: Surroundings): Definition[] {
  const { definitions, comments, attributes } = found;
  const isStatement = ({ kind }: Definition) => kind === "statement";
  const ends = new Map<number, number>();
  for (const { start, end } of [...definitions.filter((definition) => !isStatement(definition)), ...comments, ...attributes]) {
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  }
  // A definition may lack the `;` that a statement ends with.
  const isHidden = ({ start, end }: Definition) => (ends.get(start) ?? 0) >= end - 1 || (start < imports.end && end > imports.start);
  const shown = definitions.filter((definition) => definition.kind !== "none" && !(isStatement(definition) && isHidden(definition)));
  const closed = shown.filter(({ kind }) => !OPEN_KINDS.has(kind));
  const own = detachedComments(found, shown, [imports, ...closed], text, around);
  return [...shown, ...own].sort((a, b) => a.start - b.start || b.end - a.end);
}
