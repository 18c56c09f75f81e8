import type { BodySlip, PlacedBody } from "../block.ts";
import { linesNear, type Neighbors, textsAround } from "../text/fileLines.ts";
import type { FileStyle } from "../text/fileStyle.ts";
import { indentOf } from "../text/indent.ts";
import { BLANKS_MEAN, isOnlyWhitespace, ONE_BLANK, strayBlanks } from "../text/whitespace.ts";

/** One slip that is undone where no other reading remains. */
export interface Repair<Facts, Repaired = readonly string[]> {
  /** Unique among all repairs. */
  readonly name: string;
  /** What is undone and where, as the contract says it. */
  readonly says: string;
  /** A folder of `test/fixtures/edits` in which it is undone. */
  readonly fixture?: string;
  /** Null where nothing is to undo, or two readings remain. */
  readonly apply: (facts: Facts) => Repaired | null;
}

/** Files in which the indentation of a line means something. */
const INDENT_MEANS =
  /\.(?:pyi?|pyx|ya?ml|coffee|haml|pug|jade|sass|styl|nim|fs|fsx|hs|elm|slim|gd|mk)$|(?:^|\/)(?:GNU)?makefile$/i;
const TABS_MEAN = /\.(?:ya?ml|mk)$|(?:^|\/)(?:GNU)?makefile$/i;

/** What is undone in the lines of a body, one after the other; a change of white space is meant. */
export const REPAIRS: readonly (Repair<PlacedBody> & { readonly slip: BodySlip })[] = [
  {
    name: "blanks at line ends",
    says: "Blanks go that the file does not have there; in Markdown one alone.",
    fixture: "trailing-blanks-markdown",
    slip: "trailing-blanks",
    apply({ body, old, style, path }) {
      const blanks = strayBlanks(path);
      return blanks && body.some((line) => blanks.test(line))
        ? withoutTrailing(body, old, style(), blanks)
        : null;
    },
  },
  {
    name: "tabs and spaces",
    says: "Indents become tabs, or spaces, where the file has only these and a tab's width is certain.",
    slip: "indentation",
    apply({ body, old, neighbors, style, path }) {
      if (BLANKS_MEAN.test(path) || TABS_MEAN.test(path)) return null;
      // An insertion is indented like the lines around it.
      return body.some((line) => /^[ \t]/.test(line))
        ? reindented(body, linesNear(old, neighbors), style())
        : null;
    },
  },
  {
    name: "all lines shifted",
    says: "Lines move back as a whole where lines they share with the old ones, or all around, prove it.",
    slip: "shifted",
    apply({ body, old, neighbors, path }) {
      if (!neighbors || BLANKS_MEAN.test(path) || INDENT_MEANS.test(path)) return null;
      if (continues(body, neighbors)) return null;
      return unshifted(body, old) ?? broughtIn(body, old, neighbors);
    },
  },
];

/** A body with its slips undone, and which. */
export function repairBody(placed: PlacedBody): {
  readonly lines: readonly string[];
  readonly slips: readonly BodySlip[];
} {
  const slips: BodySlip[] = [];
  let lines = placed.body;
  if (isOnlyWhitespace(lines, placed.old)) return { lines, slips };
  for (const { slip, apply } of REPAIRS) {
    const repaired = apply({ ...placed, body: lines });
    if (!repaired) continue;
    lines = repaired;
    slips.push(slip);
  }
  return { lines, slips };
}

/** Without stray blanks: of all lines where the file has none, else of its own lines. */
function withoutTrailing(
  lines: readonly string[],
  old: readonly string[],
  { blankEnded, trimmed }: FileStyle,
  blanks: RegExp,
): string[] | null {
  const isOwn = (line: string) => blankEnded.has(line.trimStart());
  const written = lines.filter((line) => line.trim() !== "");
  const isEach =
    written.length > 1 && written.every((line) => blanks.test(line)) && !written.every(isOwn);
  const isTrimmed = blanks !== ONE_BLANK && ![...blankEnded].some((line) => blanks.test(line));
  const isSlip = (line: string) =>
    isEach ? !old.includes(line) : !isOwn(line) && (isTrimmed || trimmed.has(line.trim()));
  const strips = (line: string) => blanks.test(line) && isSlip(line);
  return lines.some(strips) ? lines.map((line) => (strips(line) ? line.trimEnd() : line)) : null;
}

/** With the file's kind of indent, where all lines have the other and a tab's width is known. */
function reindented(
  lines: readonly string[],
  old: readonly string[],
  { indentedBy, indented }: FileStyle,
): string[] | null {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const wrong = indentedBy === "tabs" ? / / : /\t/;
  const right = indentedBy === "tabs" ? /\t/ : / /;
  // Without an indented line outside of the place, the body decides the kind.
  if (old.filter((line) => /^[ \t]+\S/.test(line)).length === indented) return null;
  if (
    indentedBy === null ||
    !indents.some((indent) => wrong.test(indent)) ||
    indents.some((indent) => right.test(indent))
  )
    return null;
  const width = tabWidth(lines, old, indentedBy);
  if (width === null) return null;
  const changed = lines.map((line) => {
    const indent = indentOf(line);
    const rest = line.slice(indent.length);
    if (indentedBy === "spaces") return " ".repeat(width * indent.length) + rest;
    // A comment's star stands one space further.
    const odd = indent.length % width;
    return "\t".repeat(Math.floor(indent.length / width)) + " ".repeat(odd) + rest;
  });
  const fits = changed.every((line) => !/^\t* +[^\s*]/.test(line) || indentedBy === "spaces");
  // Of the lines that both have, one must stand where it stood.
  const shared = changed.filter(
    (line) => /\w/.test(line) && old.some((other) => other.trim() === line.trim()),
  );
  const isProven = shared.length === 0 || shared.some((line) => old.includes(line));
  return fits && isProven ? changed : null;
}

/** How many spaces stand for a tab, by the smallest indents of both sides, or by the body's. */
function tabWidth(
  lines: readonly string[],
  old: readonly string[],
  indentedBy: "tabs" | "spaces",
): number | null {
  const [here, there] = [smallestIndent(lines)?.length ?? 0, smallestIndent(old)?.length ?? 0];
  const steps = lines.filter((line) => line.trim() !== "").map((line) => indentOf(line).length);
  const [tabs, spaces] = indentedBy === "tabs" ? [there, here] : [here, there];
  const width =
    tabs > 0 && spaces > 0
      ? spaces / tabs
      : indentedBy === "tabs"
        ? Math.min(...steps.filter((step) => step > 0))
        : 0;
  return width === 2 || width === 4 || width === 8 ? width : null;
}

/** Moved to the indent of the old lines, or around an insertion, where all around is deeper. */
function broughtIn(
  lines: readonly string[],
  old: readonly string[],
  neighbors: Neighbors,
): string[] | null {
  const from = smallestIndent(lines);
  const beside = textsAround(neighbors).map(indentOf);
  const to =
    old.length > 0 ? smallestIndent(old) : beside[0] === beside[1] ? (beside[0] ?? null) : null;
  if (from === null || to === null || to === from || !to.startsWith(from)) return null;
  const isOutside = beside.every((indent) => indent !== from && indent.startsWith(from));
  // What ends an outer block may stand there, and so may directives, labels and what comments lines
  // out.
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const oldFirst = old.find((line) => line.trim() !== "");
  if (oldFirst !== undefined && indentOf(oldFirst) !== to) return null;
  if (indentOf(first) !== from || /^\s*(?:[)\]}]|end\b)/.test(first)) return null;
  if (!isOutside || lines.some((line) => /^(?:#|\/\*\s*$|\*\/\s*$|\w+:\s*$|case\b.*:)/.test(line)))
    return null;
  return lines.map((line) => (line.trim() === "" ? line : to + line.slice(from.length)));
}

/** True where the body begins at the indent that an earlier block gave the line above. */
function continues(lines: readonly string[], { textsAbove, standingAbove }: Neighbors): boolean {
  const isNew = standingAbove !== "" && standingAbove !== textsAbove[0]?.trimEnd();
  const first = lines.find((line) => line.trim() !== "");
  return isNew && first !== undefined && indentOf(first) === indentOf(standingAbove);
}

/** Shifted back to the old lines, where all lines that both have prove the shift. */
function unshifted(lines: readonly string[], old: readonly string[]): string[] | null {
  const [from, to] = [smallestIndent(lines), smallestIndent(old)];
  if (from === null || to === null || from === to || !(from.startsWith(to) || to.startsWith(from)))
    return null;
  const known = new Map<string, string>();
  for (const line of old) if (/\w/.test(line)) known.set(line.trim(), indentOf(line));
  const moved = lines.map((line) => (line.trim() === "" ? line : to + line.slice(from.length)));
  // A line proves the shift where the old lines have it too, or one in its place that begins with
  // the same word.
  const provenIndent = (line: string, index: number) => {
    // A label's indent is a matter of taste.
    if (/^\s*\w+:\s*$/.test(line)) return null;
    const inPlace = lines.length === old.length ? (old[index] ?? "") : "";
    const word = /^\s*([\w$]{3,})/.exec(line)?.[1];
    const alike = word !== undefined && /^\s*([\w$]{3,})/.exec(inPlace)?.[1] === word;
    return known.get(line.trim()) ?? (alike ? indentOf(inPlace) : null);
  };
  const proofs = moved.flatMap((line, index) => {
    const indent = provenIndent(line, index);
    return indent === null ? [] : [indent === indentOf(line)];
  });
  return proofs.length > 0 && proofs.every((proof) => proof) ? moved : null;
}

function smallestIndent(lines: readonly string[]): string | null {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  return indents.length === 0
    ? null
    : indents.reduce((least, indent) => (indent.length < least.length ? indent : least));
}
