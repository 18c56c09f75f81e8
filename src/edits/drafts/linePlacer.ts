import { err, ok, type Result } from "../../base/result.ts";
import { joinLines } from "../../base/text/lines.ts";
import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { cutElements } from "../elements/cutElements.ts";
import { doubledElements } from "../elements/doubledElements.ts";
import { countChangedLines, editsBetween } from "../text/changeSet.ts";
import { ChangedText } from "./changedText.ts";
import {
  type FileLines,
  fileLines,
  type LineChange,
  type LinePlace,
  lineChange,
  linePlace,
  linesOverlap,
  neighborsOf,
} from "./lineChange.ts";
import type { BlockEffect, Placement, Placer, WholeEffect } from "./placer.ts";
import { StreamingText } from "./streamingText.ts";
import type { WrittenBlock } from "./writtenBlock.ts";

interface Placed {
  readonly block: WrittenBlock;
  readonly change: LineChange;
}

/** With more blocks, syntax errors are not traced to single ones. */
const MAX_SINGLE_CHECKS = 20;

/**
 * Line mode: every address means the snapshot, and all changes are applied together. Bodies are
 * taken as written, since a change of indent is an edit like any other.
 */
export class LinePlacer implements Placer {
  private readonly document: SyntaxDocument | null;
  private readonly file: FileLines;
  private placed: Placed[] = [];
  /** Changes taken out because they overlapped; later ones must not fall on them either. */
  private readonly clashed: Placed[] = [];
  private changed: ChangedText;
  private placedRanges: ReadonlyMap<string, OffsetRange> = new Map();

  /** `document` holds the snapshot and is used up by {@link finish}; null without a grammar. */
  constructor(snapshot: string, document: SyntaxDocument | null) {
    this.document = document;
    this.file = fileLines(snapshot);
    this.changed = new ChangedText(this.file);
  }

  text(): string {
    return this.changed.text;
  }

  ranges(): ReadonlyMap<string, OffsetRange> {
    return this.placedRanges;
  }

  open(block: WrittenBlock): Result<Placement, BlockReason> {
    if (block.address?.kind !== "lines") return err({ code: "invalid-address" });
    const place = linePlace(this.file, block.address.start, block.address.end, block.op);
    if (!place.ok) return place;
    const close = (lines: readonly string[]) => this.close(block, place.value, lines);
    const old = this.file.lines.slice(place.value.start, place.value.end);
    const oldText = joinLines(old);
    const overlapping = this.placed.some(({ change }) => linesOverlap(change, place.value));
    const neighbors = {
      ...neighborsOf(this.file, place.value.start, place.value.end),
      standingAbove: this.changed.filledLineAbove(place.value),
    };
    if (block.op === "remove" || overlapping)
      return ok({ growing: null, oldText, neighbors, close });
    const growing = new StreamingText({
      ...this.changed.around(place.value),
      before: "",
      after: "",
      terminated: true,
      shift: null,
      eol: this.file.eol,
    });
    return ok({ growing, oldText, neighbors, close });
  }

  finish(): WholeEffect {
    const { document, placed } = this;
    if (!document) return { addsSyntaxError: new Set(), cuts: new Map() };
    const outline = document.outline();
    const isSound = document.errorCount() === 0;
    const errors = this.checked(document, placed);
    const after = document.outline();
    const starts = lineStarts(this.changed.text);
    const cutBy = cutElements(outline, after);
    const lines = this.changed.text.split(/\r\n|\n|\r/);
    const doubledBy = doubledElements({
      before: outline,
      after,
      lines,
      language: document.language,
    });
    const cuts = new Map<string, string>();
    const doubles = new Map<string, string>();
    for (const { block, change } of placed) {
      const { start, end } = change;
      const range = this.placedRanges.get(block.blockId) ?? { start: 0, end: 0 };
      const written = {
        first: lineAt(starts, range.start) + 1,
        last: lineAt(starts, Math.max(range.start, range.end - 1)) + 1,
      };
      const texts = this.file.lines.slice(start, end).map(({ text }) => text);
      const cut = start < end ? cutBy({ start: start + 1, end, texts }, written) : null;
      if (cut !== null) cuts.set(block.blockId, cut);
      const double = doubledBy(written, null);
      if (double !== null) doubles.set(block.blockId, double);
    }
    const addsSyntaxError = isSound && errors > 0 ? this.breaking(document) : new Set<string>();
    return { addsSyntaxError, cuts, doubles };
  }

  /** The blocks that break the syntax by themselves, or all where none does. */
  private breaking(document: SyntaxDocument): ReadonlySet<string> {
    const { placed } = this;
    const single =
      placed.length <= MAX_SINGLE_CHECKS
        ? placed.filter((one) => this.checked(document, [one]) > 0)
        : placed;
    return new Set((single.length > 0 ? single : placed).map(({ block }) => block.blockId));
  }

  /** Puts changes into the document; gives its number of syntax errors. */
  private checked(document: SyntaxDocument, placed: readonly Placed[]): number {
    const { text } = new ChangedText(
      this.file,
      placed.map(({ change }) => change),
    );
    for (const edit of editsBetween(document.text, text).reverse())
      document.edit(edit, edit.newText);
    return document.errorCount();
  }

  private close(
    block: WrittenBlock,
    place: LinePlace,
    lines: readonly string[],
  ): Result<BlockEffect, BlockReason> {
    if (lines.length === 0 && place.start === place.end) return err({ code: "empty-body" });
    const change = lineChange(this.file, place, block.op === "remove" ? [] : lines);
    if (this.placed.some((other) => isSameInsertion(other.change, change)))
      return err({ code: "repeated-block" });
    const clashing = [...this.placed, ...this.clashed].filter((other) =>
      linesOverlap(other.change, change),
    );
    if (clashing.length > 0) {
      this.clashed.push(
        { block, change },
        ...this.placed.filter((other) => clashing.includes(other)),
      );
      this.placed = this.placed.filter((other) => !clashing.includes(other));
    } else this.placed.push({ block, change });
    const before = this.changed.text;
    if (clashing.length === 0) this.changed.put(change);
    else
      this.changed = new ChangedText(
        this.file,
        this.placed.map((other) => other.change),
      );
    const ranges = this.changed.ranges();
    this.placedRanges = new Map(
      this.placed.map(({ block, change }) => [
        block.blockId,
        ranges.get(change) ?? { start: 0, end: 0 },
      ]),
    );
    const { file } = this;
    // Without a final line break, a change of the last line is one of the line before, too.
    const counts =
      file.terminated || place.end < file.lines.length
        ? countChangedLines(joinLines(file.lines.slice(place.start, place.end)), change.newText)
        : countChangedLines(before, this.changed.text);
    return ok({
      addsSyntaxError: false,
      ...counts,
      clashes: clashing.map((other) => ({
        blockId: other.block.blockId,
        target: other.block.target,
      })),
    });
  }
}

/** True for the same insertion. */
function isSameInsertion(a: LineChange, b: LineChange): boolean {
  return (
    a.start === a.end &&
    a.start === b.start &&
    a.end === b.end &&
    a.after === b.after &&
    a.newText === b.newText
  );
}
