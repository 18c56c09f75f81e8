import { ChangeSet } from "@codemirror/state";
import { lineEnd, nextLine, type OffsetRange } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import { lineDiff } from "./lineDiff.ts";

/** A replacement in UTF-16 offsets, half-open, of the text it is applied to. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** An edit, and where the text that it is made for is in the text after it. */
export interface PlacedEdit extends TextEdit {
  readonly written: { readonly start: number; readonly end: number };
}

/**
 * A change set that makes `edits` (any order, not overlapping) in a text of `length` UTF-16 units.
 * Only `"\n"` separates lines inside it, so offsets stay those of the string.
 */
export function changesOf(edits: readonly TextEdit[], length: number): ChangeSet {
  const specs = edits.map((edit) => ({ from: edit.start, to: edit.end, insert: edit.newText }));
  return ChangeSet.of(specs, length, "\n");
}

/** A change set that changes nothing in a text of `length`. */
export function noChanges(length: number): ChangeSet {
  return ChangeSet.empty(length);
}

/** The replacements of a change set, sorted, in offsets of the text before. */
export function editsOf(changes: ChangeSet): TextEdit[] {
  const edits: TextEdit[] = [];
  changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    edits.push({ start: fromA, end: toA, newText: inserted.toString() });
  });
  return edits;
}

/** The text after sorted, non-overlapping replacements. */
export function applyEdits(edits: readonly TextEdit[], text: string): string {
  let result = "";
  let position = 0;
  for (const edit of edits) {
    result += text.slice(position, edit.start) + edit.newText;
    position = edit.end;
  }
  return result + text.slice(position);
}

/** The text after a change set. */
export function applyChanges(changes: ChangeSet, text: string): string {
  return applyEdits(editsOf(changes), text);
}

/** Sorted replacements by lines from `before` to `after`; none splits a CRLF or surrogates. */
export function editsBetween(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  const start = commonPrefix(before, after);
  const suffix = commonSuffix(before, after, start);
  const oldMiddle = before.slice(start, before.length - suffix);
  const newMiddle = after.slice(start, after.length - suffix);
  if (oldMiddle === "" || newMiddle === "")
    return [{ start, end: start + oldMiddle.length, newText: newMiddle }];
  return lineEditsBetween(oldMiddle, newMiddle).map((edit) => ({
    ...edit,
    start: start + edit.start,
    end: start + edit.end,
  }));
}

/** Makes the text of a parsed document another one. */
export function rewriteDocument(document: SyntaxDocument, text: string): void {
  for (const edit of editsBetween(document.text, text).reverse()) document.edit(edit, edit.newText);
}

/** These edits in order if they lead from `before` to `after`, else others that do. */
export function exactEdits(
  edits: readonly TextEdit[],
  before: string,
  after: string,
): readonly TextEdit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const inOrder = sorted.every(
    ({ start, end }, index) =>
      start >= (sorted[index - 1]?.end ?? 0) && end >= start && end <= before.length,
  );
  return inOrder && applyEdits(sorted, before) === after ? sorted : editsBetween(before, after);
}

/** The same edits of `text`, each without its unchanged ends. */
export function narrowEdits(edits: readonly TextEdit[], text: string): TextEdit[] {
  return edits.map(({ start, end, newText }) => {
    const old = text.slice(start, end);
    const prefix = commonPrefix(old, newText);
    const suffix = commonSuffix(old, newText, prefix);
    return {
      start: start + prefix,
      end: end - suffix,
      newText: newText.slice(prefix, newText.length - suffix),
    };
  });
}

/** Sorted replacements of whole lines that turn `before` into `after`. */
export function lineEditsBetween(before: string, after: string): TextEdit[] {
  return lineDiff(before, after).map((part) => ({
    start: part.beforeStart,
    end: part.beforeEnd,
    newText: after.slice(part.afterStart, part.afterEnd),
  }));
}

/** The same, with one replacement per line where a run keeps its number of lines. */
export function singleLineEditsBetween(before: string, after: string): TextEdit[] {
  return lineDiff(before, after).flatMap((part) => {
    const old = linesWithBreaks(before.slice(part.beforeStart, part.beforeEnd));
    const now = linesWithBreaks(after.slice(part.afterStart, part.afterEnd));
    if (old.length !== now.length)
      return [{ start: part.beforeStart, end: part.beforeEnd, newText: now.join("") }];
    let start = part.beforeStart;
    return old.map((line, index) => {
      const edit = { start, end: start + line.length, newText: now[index] ?? "" };
      start = edit.end;
      return edit;
    });
  });
}

function linesWithBreaks(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** A change set as plain JSON: lengths that stay, and others with the lines in their place. */
export function changesJson(changes: ChangeSet): (number | [number, ...string[]])[] {
  return changes.toJSON();
}

/** A change set of a text of `length` from its JSON; null where it is none. */
export function changesFromJson(json: readonly unknown[], length: number): ChangeSet | null {
  try {
    const changes = ChangeSet.fromJSON(json);
    return changes.length === length ? changes : null;
  } catch {
    return null;
  }
}

/** What takes `changes` of a text back. */
export function invertedChanges(changes: ChangeSet, before: string): ChangeSet {
  const edits: TextEdit[] = [];
  changes.iterChanges((fromA, toA, start, end) => {
    edits.push({ start, end, newText: before.slice(fromA, toA) });
  });
  return changesOf(edits, changes.newLength);
}

/** A change set that turns `before` into `after`. */
export function changesBetween(before: string, after: string): ChangeSet {
  return changesOf(editsBetween(before, after), before.length);
}

/**
 * Maps edits of a text to the text after `changes`. Unlike mapping a change set, text that
 * `changes` inserted into a replaced range is replaced too; text inserted at the range's ends
 * stays.
 */
export function coveringEdits(edits: readonly TextEdit[], changes: ChangeSet): TextEdit[] {
  const covered: TextEdit[] = [];
  for (const { start, end, newText } of edits) {
    let from = changes.mapPos(start, 1);
    let to = changes.mapPos(end, -1);
    changes.iterChangedRanges((fromA, toA, fromB, toB) => {
      if (start < end && fromA < start && start < toA) from = fromB;
      if (start < end && fromA < end && end < toA) to = toB;
    });
    const last = covered.at(-1);
    if (last && from < last.end)
      covered[covered.length - 1] = {
        start: last.start,
        end: Math.max(last.end, to),
        newText: last.newText + newText,
      };
    else covered.push({ start: from, end: Math.max(from, to), newText });
  }
  return covered;
}

/** Where each block's text is after an edit that one made, which led to `text`. */
export function trackEdit(
  ranges: ReadonlyMap<string, OffsetRange>,
  blockId: string,
  edit: PlacedEdit,
  text: string,
): ReadonlyMap<string, OffsetRange> {
  const before = text.length - edit.newText.length + (edit.end - edit.start);
  const changes = changesOf([edit], before);
  // Lines that follow others begin with the line break that those end with.
  const added = edit.start + edit.newText.length;
  const isBelow = ({ start, end }: OffsetRange) =>
    edit.start === edit.end &&
    start < edit.start &&
    end === edit.start + nextLine(text, added) - added &&
    lineEnd(text, added) === added &&
    lineEnd(text, edit.start) === edit.start;
  const moved = [...ranges].map(([id, range]) => {
    const start = changes.mapPos(
      range.start,
      range.start === edit.start && range.end >= edit.end ? -1 : 1,
    );
    const end = isBelow(range)
      ? nextLine(text, edit.start)
      : Math.max(start, changes.mapPos(range.end, range.end === edit.start ? -1 : 1));
    return [id, { start, end }] as const;
  });
  const { start, end } = edit.written;
  // With the line break: what was removed right below its last line is the block's, too.
  const endsLine = start < end && lineEnd(text, end) === end;
  return new Map([...moved, [blockId, { start, end: endsLine ? nextLine(text, end) : end }]]);
}

/** How many lines a diff of two texts adds and removes. */
export function countChangedLines(
  before: string,
  after: string,
): { readonly addedLines: number; readonly removedLines: number } {
  const start = before.lastIndexOf("\n", commonPrefix(before, after) - 1) + 1;
  const sameEnd = before.indexOf("\n", before.length - commonSuffix(before, after, start));
  const tail = sameEnd < 0 ? 0 : before.length - sameEnd - 1;
  const parts = lineDiff(
    before.slice(start, before.length - tail),
    after.slice(start, after.length - tail),
  );
  return {
    addedLines: parts.reduce((sum, { afterLines }) => sum + afterLines.end - afterLines.start, 0),
    removedLines: parts.reduce(
      (sum, { beforeLines }) => sum + beforeLines.end - beforeLines.start,
      0,
    ),
  };
}

/** Long texts are compared in pieces, which is far faster than by characters. */
const CHUNK = 1_024;

/** How many UTF-16 units are alike at the beginning, without splitting a CRLF or surrogates. */
function commonPrefix(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (
    length + CHUNK <= limit &&
    a.slice(length, length + CHUNK) === b.slice(length, length + CHUNK)
  )
    length += CHUNK;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  while (length > 0 && (splitsPair(a, length) || splitsPair(b, length))) length--;
  return length;
}

/** The same for their ends, after a common `prefix`. */
function commonSuffix(a: string, b: string, prefix: number): number {
  const limit = Math.min(a.length, b.length) - prefix;
  let length = 0;
  const last = (text: string) => text.slice(text.length - length - CHUNK, text.length - length);
  while (length + CHUNK <= limit && last(a) === last(b)) length += CHUNK;
  while (
    length < limit &&
    a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)
  )
    length++;
  while (length > 0 && (splitsPair(a, a.length - length) || splitsPair(b, b.length - length)))
    length--;
  return length;
}

/** Editors have no position inside a CRLF or a surrogate pair. */
function splitsPair(text: string, offset: number): boolean {
  const left = text.charCodeAt(offset - 1);
  const right = text.charCodeAt(offset);
  return (
    (left === 13 && right === 10) ||
    (left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000)
  );
}
