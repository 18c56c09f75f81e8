import type { OutlineEntry } from "../../syntax/syntax.ts";
import { unnumbered } from "../elements/pathNames.ts";
import { countNames } from "./elementNames.ts";

/** Lines that are replaced: 1-based and inclusive, with their texts. */
export interface ReplacedLines {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

/** The lines that a block wrote, in the text after all changes: 1-based and inclusive. */
export interface WrittenLines {
  readonly first: number;
  readonly last: number;
}

/**
 * Tells, for the outline before and after all changes, which element replaced lines cut in two: they hold its head alone, or one of its
 * ends and other text next to it, and afterwards fewer elements have its name. Gives the element's path before, or null. Where the new
 * lines begin another element that holds the rest, it has another name.
 */
export function cutElements(
  before: readonly OutlineEntry[],
  after: readonly OutlineEntry[],
): (lines: ReplacedLines, written: WrittenLines) => string | null {
  const now = countNames(after);
  const then = countNames(before);
  const isFewer = (name: string) => (now.get(name)?.count ?? 0) < (then.get(name)?.count ?? 0);
  // Items of a list have no name that the text holds.
  const lost = before.filter(({ path }) => isFewer(unnumbered(path)) && !/(?:^|-)item(?:#\d+)?$/.test(path));
  return ({ start, end, texts }, { first, last }) => {
    const filled = (from: number, to: number) => texts.slice(from - start, to - start + 1).some((text) => text.trim() !== "");
    const isRenamed = () => after.some(({ startLine, endLine }) => first <= startLine && startLine <= last && last < endLine);
    const cut = lost.find(({ startLine, endLine }) => {
      const keepsStart = startLine < start && start <= endLine && endLine < end && filled(endLine + 1, end);
      const losesHead = start <= startLine && startLine <= end && end < endLine;
      return keepsStart || (losesHead && (start === startLine || filled(start, startLine - 1)) && !isRenamed());
    });
    return cut?.path ?? null;
  };
}

/** Kinds of elements that code declares once. */
const DECLARED: ReadonlySet<string> = new Set([
  "class",
  "constructor",
  "enum",
  "function",
  "interface",
  "method",
  "struct",
  "trait",
  "type",
]);

/**
 * Tells, likewise, which element stands a second time because of lines that were written: one of the same path whose head is the same
 * line. Others may be overloads.
 */
export function doubledElements(
  before: readonly OutlineEntry[],
  after: readonly OutlineEntry[],
  lineAt: (line: number) => string,
): (written: WrittenLines) => string | null {
  const then = countNames(before);
  const headOf = ({ path, startLine, endLine }: OutlineEntry) => {
    const name = unnumbered(path).split("-").at(-1) ?? "";
    for (let line = startLine; line <= endLine; line++) if (lineAt(line).includes(name)) return lineAt(line).trimEnd();
    return "";
  };
  const more = after.filter(({ path, kind }) => DECLARED.has(kind) && then.has(unnumbered(path)) && path !== unnumbered(path));
  return ({ first, last }) => {
    const isWithin = ({ startLine }: OutlineEntry) => first <= startLine && startLine <= last;
    const double = more.find(
      (entry) =>
        isWithin(entry) &&
        more.filter(({ path }) => unnumbered(path) === unnumbered(entry.path)).length > (then.get(unnumbered(entry.path))?.count ?? 0) &&
        more.some((other) => other !== entry && unnumbered(other.path) === unnumbered(entry.path) && headOf(other) === headOf(entry)),
    );
    return double ? unnumbered(double.path) : null;
  };
}
