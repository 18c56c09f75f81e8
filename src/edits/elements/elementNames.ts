import type { BlockWarning } from "../../ports/review.ts";
import { indentOf } from "../text/indent.ts";
import { lastName, type NameCounts, unnumbered } from "./pathNames.ts";

/** Kinds whose names are their text, which an edit may change. */
const NAMED_BY_TEXT: ReadonlySet<string> = new Set([
  "comment",
  "element",
  "heading",
  "rule",
  "statement",
  "table",
  "test",
]);

/** Kinds of which a body may hold one that stands elsewhere, too. */
const MAY_REPEAT: ReadonlySet<string> = new Set(["comment", "statement"]);

/** Begins a line that goes on with an element, or ends it. */
const CONTINUES = /^\s*(?:[)\]}>@#/*-]|end\b|else\b)/;

/**
 * False where a body surely holds the element `path` and no sibling, so that no outlines need to be
 * compared: it has the name, and no other line of words that begins where it begins.
 */
export function mayChangeNames(path: string, body: readonly string[]): boolean {
  const name = lastName(unnumbered(path));
  const filled = body.filter((line) => line.trim() !== "");
  const margin = Math.min(...filled.map((line) => indentOf(line).length));
  const outer = filled.filter(
    (line) => indentOf(line).length === margin && /\w/.test(line) && !CONTINUES.test(line),
  );
  return outer.length !== 1 || !outer[0]?.includes(name);
}

/**
 * The warnings for a body that replaced the element `path`: its name is nowhere in the body, or one
 * element beside it became two. A body that holds one new element of the same parent instead
 * renames it.
 */
export function replacementWarnings(
  path: string,
  oldText: string,
  body: string,
  before: NameCounts,
  after: NameCounts,
): BlockWarning[] {
  const warnings: BlockWarning[] = [];
  const own = unnumbered(path);
  const name = lastName(own);
  const parent = own.slice(0, own.length - name.length);
  const beside = [...after].filter(
    ([other]) => other.startsWith(parent) && !other.slice(parent.length).includes("-"),
  );
  const kind = before.get(own)?.kind;
  const added = beside.filter(([other]) => !before.has(other));
  const isRenamed = added.length === 1 && added[0]?.[1].kind === kind;
  const count = (counts: NameCounts, other: string) => counts.get(other)?.count ?? 0;
  const isCode = kind !== undefined && !NAMED_BY_TEXT.has(kind);
  const isLost =
    isCode &&
    count(after, own) < count(before, own) &&
    /\w/.test(name) &&
    oldText.includes(name) &&
    !body.includes(name);
  if (isLost && !isRenamed) warnings.push({ code: "loses-element", path });
  // The elements of several numbered ones are no siblings.
  const isNumbered = path.slice(0, path.lastIndexOf("-") + 1).includes("#");
  const double = beside.find(
    ([other, { kind: otherKind }]) =>
      !isNumbered &&
      other !== own &&
      !MAY_REPEAT.has(otherKind) &&
      count(before, other) === 1 &&
      count(after, other) > 1 &&
      body.includes(other.slice(parent.length)),
  );
  if (double) warnings.push({ code: "doubles-element", path: double[0] });
  return warnings;
}
