import type { OffsetRange } from "../../base/text/scan.ts";
import { type FileLines, type LineChange, type LinePlace, newText } from "./lineChange.ts";

/** A file's text with changes of its lines. */
export interface LineText {
  readonly text: string;
  /** Where each change's lines are in the text, line breaks included. */
  readonly ranges: ReadonlyMap<LineChange, OffsetRange>;
}

/** A place in a text: what it holds, and the text around it. */
interface TextAround {
  readonly head: string;
  readonly old: string;
  readonly tail: string;
}

/**
 * Makes changes that do not overlap; at the same place, they stay in their order. A final line break, or its absence, stays.
 */
export function lineText(file: FileLines, changes: readonly LineChange[]): LineText {
  const ranges = new Map<LineChange, OffsetRange>();
  const text = withoutEnd(file, changed(file, changes, 0, file.lines.length, ranges));
  const { length } = text;
  const inText = [...ranges].map(
    ([change, { start, end }]) => [change, { start: Math.min(start, length), end: Math.min(end, length) }] as const,
  );
  return { text, ranges: new Map(inText) };
}

/** A place that no change overlaps. */
export function textAround(file: FileLines, changes: readonly LineChange[], place: LinePlace): TextAround {
  const before = changes.filter((change) => compare(change, place) <= 0);
  const after = changes.filter((change) => compare(change, place) > 0);
  return {
    head: changed(file, before, 0, place.start),
    old: unchanged(file, place.start, place.end),
    tail: withoutEnd(file, changed(file, after, place.end, file.lines.length)),
  };
}

/** Lines of the file with changes of them, each with a line break. */
function changed(
  file: FileLines,
  changes: readonly LineChange[],
  first: number,
  end: number,
  ranges?: Map<LineChange, OffsetRange>,
): string {
  let text = "";
  let line = first;
  for (const change of [...changes].sort(compare)) {
    text += unchanged(file, line, change.start);
    const start = text.length;
    text += newText(file, change);
    ranges?.set(change, { start, end: text.length });
    line = change.end;
  }
  return text + unchanged(file, line, end);
}

function unchanged({ text, starts }: FileLines, first: number, end: number): string {
  return text.slice(starts[first], starts[end]);
}

function withoutEnd({ terminated }: FileLines, text: string): string {
  return terminated ? text : text.replace(/(?:\r\n|\r|\n)$/, "");
}

function compare(a: LinePlace, b: LinePlace): number {
  const rank = (place: LinePlace) => (place.start < place.end ? 2 : place.after ? 0 : 1);
  return a.start - b.start || rank(a) - rank(b);
}
