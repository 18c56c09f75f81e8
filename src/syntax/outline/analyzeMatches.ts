import { type OffsetRange, skipBlanks } from "../../base/text/scan.ts";
import type { Definition } from "../paths/definition.ts";
import { nameElements, type PathTable } from "../paths/elementPaths.ts";
import { type CommentIndex, commentIndex } from "./commentIndex.ts";
import { type Definitions, definitionsOf } from "./definitions.ts";
import { detachedComments } from "./detachedComments.ts";
import { importSection } from "./importSection.ts";
import { extendSections } from "./markdownSections.ts";
import type { Match } from "./matches.ts";
import { nestDefinitions } from "./nestDefinitions.ts";
import { separatorEnd } from "./syntaxElement.ts";

/** The elements of one parsed text, with what resolving a path needs. */
export interface Analysis {
  /** The text it is about. */
  readonly text: string;
  readonly matches: readonly Match[];
  readonly paths: PathTable;
  readonly definitions: Definitions;
  readonly comments: CommentIndex;
  /** The import section; empty where imports would go when there are none. */
  readonly imports: OffsetRange;
}

/** Turns the matches of a symbol query into named elements. `captureNames` are the query's. */
export function analyzeMatches(matches: readonly Match[], text: string, captureNames: readonly string[]): Analysis {
  const found = definitionsOf(matches, text, captureNames);
  const comments = commentIndex(text, found.comments, found.attributes);
  const imports = importSection(found, text, comments);
  const sections = extendSections(addressable(found, imports, text, comments), found.locals, text);
  const paths = nameElements(nestDefinitions(sections, found.locals), found.packageName, (definition) => ({
    start: comments.attributeStart(definition.start),
    end: separatorEnd(text, definition, definition.kind, skipBlanks(text, definition.end)),
  }));
  return { text, matches, paths, definitions: found, comments, imports };
}

/** Kinds that may hold elements written in the first column. */
const OPEN_KINDS = new Set(["namespace", "module", "heading"]);

/**
 * The definitions to address. Leaves out what only looks like a statement: another definition, a comment, an attribute, an import,
 * and the kind `none`. Adds the comments that belong to no element.
 */
function addressable(found: Definitions, imports: OffsetRange, text: string, comments: CommentIndex): Definition[] {
  const isStatement = ({ kind }: Definition) => kind === "statement";
  const ends = new Map<number, number>();
  for (const { start, end } of [...found.definitions.filter((each) => !isStatement(each)), ...found.comments, ...found.attributes]) {
    ends.set(start, Math.max(end, ends.get(start) ?? 0));
  }
  // A definition may lack the `;` that ends the statement.
  const isHidden = ({ start, end }: Definition) => (ends.get(start) ?? 0) >= end - 1 || (start < imports.end && end > imports.start);
  const shown = found.definitions.filter((each) => each.kind !== "none" && !(isStatement(each) && isHidden(each)));
  const closed = shown.filter(({ kind }) => !OPEN_KINDS.has(kind));
  const detached = detachedComments(found, shown, [imports, ...closed], text, comments);
  return [...shown, ...detached].sort((a, b) => a.start - b.start || b.end - a.end);
}
