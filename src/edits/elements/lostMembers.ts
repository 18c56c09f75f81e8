import type { LineSpan } from "../../ports/editorState.ts";
import type { OutlineEntry } from "../../syntax/syntax.ts";
import { squeezed } from "../text/lineChecks.ts";
import { CALLABLE } from "./kinds.ts";
import { countNames, pathParts, unnumbered } from "./pathNames.ts";

/** An outline, and the lines of its text. */
export interface OutlinedText {
  readonly outline: readonly OutlineEntry[];
  readonly lines: readonly string[];
}

/** Members of an element that a block replaced and that are no longer anywhere. */
export interface LostMembers {
  readonly path: string;
  readonly names: readonly string[];
}

/** Kinds that have no name of their own. */
const NAMELESS: ReadonlySet<string> = new Set(["comment", "import", "object", "statement"]);
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

/** What replacing the element of a path, or the whole file for null, by what is `written` lost. */
export interface LostElements {
  /** Its members that are gone: not renamed with the same text, and nowhere else now. */
  members(path: string | null, written: LineSpan): LostMembers | null;
  /** True where it is gone itself: its name is not there, nor one new element as its new name. */
  isGone(path: string | null, written: LineSpan): boolean;
}

/** Compares the elements of two texts. */
export function lostElements(before: OutlinedText, after: OutlinedText): LostElements {
  const partsBefore = pathParts(before.outline.map(({ path }) => path));
  const partsAfter = pathParts(after.outline.map(({ path }) => path));
  const nameBefore = ({ path }: OutlineEntry) => partsBefore(path).name;
  const nameAfter = ({ path }: OutlineEntry) => partsAfter(path).name;
  const paths = [countNames(before.outline), countNames(after.outline)] as const;
  const names = [
    countNames(before.outline, nameBefore),
    countNames(after.outline, nameAfter),
  ] as const;
  const isFewer = ([then, now]: typeof paths, key: string) =>
    (now.get(key) ?? 0) < (then.get(key) ?? 0);
  const added = after.outline.filter(({ path }) => !paths[0].has(unnumbered(path)));
  const isRenamed = (member: OutlineEntry) => {
    const name = squeezed(nameBefore(member));
    const text = squeezedText(member, before.lines);
    // A name alone proves nothing.
    if (text.replaceAll(name, "").replace(/\W/g, "").length < MIN_TEXT) return false;
    return added.some((other) => {
      return (
        other.kind === member.kind &&
        squeezedText(other, after.lines) === text.replaceAll(name, squeezed(nameAfter(other)))
      );
    });
  };
  const members: LostElements["members"] = (path, { first, last }) => {
    const element = path === null ? null : before.outline.find((entry) => entry.path === path);
    if (element === undefined || (element && CALLABLE.has(element.kind))) return null;
    const inside = after.outline.filter(
      ({ startLine, endLine }) => startLine >= first && endLine <= last,
    );
    const kept = countNames(element ? inside : [], nameAfter);
    const isGone = (member: OutlineEntry) => {
      const name = nameBefore(member);
      // Of several functions of one name each counts.
      const count =
        CALLABLE.has(member.kind) && element
          ? before.outline.filter((other) => isInside(other, element) && nameBefore(other) === name)
              .length
          : 1;
      if ((kept.get(name) ?? 0) >= count) return false;
      return isFewer(paths, unnumbered(member.path)) && isFewer(names, name) && !isRenamed(member);
    };
    const own = before.outline.filter((entry) => !element || isInside(entry, element));
    const lost = [...new Set(goneOf(own, isGone).map(nameBefore))];
    return lost.length === 0 ? null : { path: path ?? "", names: lost };
  };
  const isGone: LostElements["isGone"] = (path, { first, last }) => {
    const element = before.outline.find((entry) => entry.path === path);
    if (!element || NAMED_BY_TEXT.has(element.kind)) return false;
    const { parent, name } = partsBefore(element.path);
    const isNamed = (lines: readonly string[], from: number, to: number) =>
      lines.slice(from - 1, to).some((line) => line.includes(name));
    if (!isFewer(paths, unnumbered(element.path)) || !/\w/.test(name)) return false;
    if (!isNamed(before.lines, element.startLine, element.endLine)) return false;
    if (isNamed(after.lines, first, last)) return false;
    const [renamed, ...others] = added.filter(
      (entry) =>
        first <= entry.startLine &&
        entry.startLine <= last &&
        unnumbered(partsAfter(entry.path).parent) === unnumbered(parent),
    );
    return others.length > 0 || renamed?.kind !== element.kind;
  };
  return { members, isGone };
}

/** Those that are gone, without what is inside of one, or of one whose inside is its own matter. */
function goneOf(
  members: readonly OutlineEntry[],
  isGone: (member: OutlineEntry) => boolean,
): readonly OutlineEntry[] {
  const gone: OutlineEntry[] = [];
  let skipTo = 0;
  for (const member of members) {
    if (member.startLine <= skipTo && member.endLine <= skipTo) continue;
    if (NAMELESS.has(member.kind)) continue;
    const isLost = isGone(member);
    if (isLost) gone.push(member);
    // What is inside goes with it.
    if (isLost || CALLABLE.has(member.kind))
      skipTo = Math.max(skipTo, member.startLine === member.endLine ? 0 : member.endLine);
  }
  return gone;
}

/** A member shows that it is the same one under another name by at least so many letters. */
const MIN_TEXT = 8;

function isInside(member: OutlineEntry, element: OutlineEntry): boolean {
  return (
    member !== element && member.startLine >= element.startLine && member.endLine <= element.endLine
  );
}

function squeezedText({ startLine, endLine }: OutlineEntry, lines: readonly string[]): string {
  return squeezed(lines.slice(startLine - 1, endLine).join(""));
}
