import { Text } from "@codemirror/state";
import { changesOf, type TextEdit } from "./changeSet.ts";

/** A text, in UTF-16 offsets, whose lines are found and changed without reading the others. */
export interface IndexedText {
  readonly length: number;
  slice(start: number, end: number): string;
  /** The 0-based line, and the offset in it. */
  positionOf(offset: number): { readonly line: number; readonly character: number };
  /** The text after edits that do not overlap. */
  edited(edits: readonly TextEdit[]): IndexedText;
}

/** Reads the whole text once. */
export function indexedText(text: string): IndexedText {
  return indexedOf(Text.of(text.split("\n")));
}

function indexedOf(text: Text): IndexedText {
  return {
    length: text.length,
    slice: (start, end) => text.sliceString(start, end, "\n"),
    positionOf: (offset) => {
      const { number, from } = text.lineAt(offset);
      return { line: number - 1, character: offset - from };
    },
    edited: (edits) => indexedOf(changesOf(edits, text.length).apply(text)),
  };
}
