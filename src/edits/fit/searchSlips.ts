import { isBlank, lineStart } from "../../base/text/scan.ts";
import type { BodySlip } from "../block.ts";
import type { TextEdit } from "../text/changeSet.ts";
import { indentOf } from "../text/indent.ts";
import { BLANKS_MEAN, escaped } from "../text/whitespace.ts";
import type { Repair } from "./repairs.ts";

/** A text to look for, and what to put in its place. */
export interface Patch {
  readonly search: string;
  readonly replace: string;
}

/** The edit of a patch whose search text differs in white space, corrected, and the slips. */
export interface RepairedPatch extends TextEdit {
  readonly slips: readonly BodySlip[];
}

const MAX_LINES = 500;
/** The longest of its lines; a regular expression takes no more, in UTF-16 units. */
const MAX_LINE = 30_000;

/** The indents of one line in the search text and in the file. */
interface IndentPair {
  readonly written: string;
  readonly there: string;
}

type Reindent = (indent: string) => string | null;

/** A search text that is in the file but for white space. */
export const SEARCH_SLIPS: Repair<
  Patch & { readonly text: string; readonly path: string },
  RepairedPatch
> = {
  name: "white space of a search text",
  says: "The only place that differs in white space alone is meant, and the replacement gets the same change.",
  apply: ({ text, path, ...patch }) => repairPatch(text, patch, path),
};

function repairPatch(text: string, { search, replace }: Patch, path: string): RepairedPatch | null {
  const written = search.split(/\r\n|\n|\r/);
  if (!/\S/.test(search) || written.length > MAX_LINES) return null;
  if (written.some((line) => line.length > MAX_LINE)) return null;
  const found = onlyPlace(text, written);
  if (!found) return null;
  const line = lineStart(text, found.start);
  const pairsOf = (there: readonly string[], from: number): IndentPair[] =>
    written.flatMap((one, index) =>
      /\S/.test(one) && index >= from
        ? [{ written: indentOf(one), there: indentOf(there[index] ?? "") }]
        : [],
    );
  const linesFrom = (start: number) => text.slice(start, found.end).split(/\r\n|\n|\r/);
  // A first line without its indent is a slip only where the lines after it are shifted too.
  const isShifted = pairsOf(linesFrom(line), 1).some((pair) => pair.written !== pair.there);
  const startsInLine = found.start > line && !(isShifted && isBlank(text, line, found.start));
  const place = startsInLine ? found : { start: line, end: found.end };
  const there = linesFrom(place.start);
  const endsInLine = !/[ \t]$/.test(search);
  const trailing = written.some(
    (line, index) => /[ \t]$/.test(line) && !/[ \t]$/.test(there[index] ?? "") && /\S/.test(line),
  );
  if (trailing && BLANKS_MEAN.test(path)) return null;
  const indents = reindentOf(pairsOf(there, startsInLine ? 1 : 0));
  if (!indents) return null;
  const clean = trailing && !there.some((line) => /[ \t]$/.test(line) && /\S/.test(line));
  const lines: string[] = [];
  for (const [index, one] of replace.split(/\r\n|\n|\r/).entries()) {
    const indent = index === 0 && startsInLine ? "" : indentOf(one);
    const moved = /\S/.test(one)
      ? index === 0 && startsInLine
        ? ""
        : indents.reindent(indent)
      : indent;
    if (moved === null) return null;
    const rest = one.slice(indent.length);
    lines.push(moved + (clean || (trailing && !endsInLine) ? rest.trimEnd() : rest));
  }
  const slips = [
    ...(trailing ? (["trailing-blanks"] as const) : []),
    ...(indents.slip ? [indents.slip] : []),
  ];
  return slips.length === 0 ? null : { ...place, newText: lines.join("\n"), slips };
}

/** The only place of the lines, whatever blanks surround them; null for none or several. */
function onlyPlace(
  text: string,
  lines: readonly string[],
): { readonly start: number; readonly end: number } | null {
  const isIndented = /^[ \t]/.test(lines[0] ?? "");
  const patterns = lines.map((line, index) => {
    const core = escaped(line.trim());
    const isLast = index === lines.length - 1;
    if (core === "") return isLast ? "" : "[ \\t]*";
    const before = index === 0 && !isIndented ? "" : "[ \\t]*";
    const after = !isLast ? "[ \\t]*" : /[ \t]$/.test(line) ? "(?=[ \\t]*$)" : "";
    return before + core + after;
  });
  const pattern = new RegExp((isIndented ? "^" : "") + patterns.join("(?:\\r\\n|\\n|\\r)"), "gmu");
  const first = pattern.exec(text);
  if (!first) return null;
  pattern.lastIndex = first.index + 1;
  return pattern.test(text) ? null : { start: first.index, end: first.index + first[0].length };
}

/** How the indents of the search text become those of the file; null where they do not say. */
function reindentOf(
  pairs: readonly IndentPair[],
): { readonly slip: BodySlip | null; readonly reindent: Reindent } | null {
  if (pairs.every(({ written, there }) => written === there))
    return { slip: null, reindent: (indent) => indent };
  const only = (side: keyof IndentPair, character: string) =>
    pairs.every((pair) => pair[side].replaceAll(character, "") === "");
  if (only("written", "\t") && only("there", " "))
    return converted(pairs, (width) => (indent) => indent.replaceAll("\t", " ".repeat(width)));
  if (only("written", " ") && only("there", "\t")) {
    return converted(
      pairs,
      (width) => (indent) =>
        indent.length % width === 0 ? "\t".repeat(indent.length / width) : null,
    );
  }
  const least = pairs.reduce((a, b) => (b.written.length < a.written.length ? b : a));
  const reindent: Reindent = (indent) =>
    indent.startsWith(least.written) ? least.there + indent.slice(least.written.length) : null;
  return fits(pairs, reindent) ? { slip: "shifted", reindent } : null;
}

/** Tabs for spaces or the reverse, where one width of a tab fits. */
function converted(
  pairs: readonly IndentPair[],
  withWidth: (width: number) => Reindent,
): ReturnType<typeof reindentOf> {
  const [reindent, other] = [1, 2, 3, 4, 5, 6, 7, 8]
    .map(withWidth)
    .filter((each) => fits(pairs, each));
  return reindent && !other ? { slip: "indentation", reindent } : null;
}

function fits(pairs: readonly IndentPair[], reindent: Reindent): boolean {
  return pairs.every(({ written, there }) => reindent(written) === there);
}
