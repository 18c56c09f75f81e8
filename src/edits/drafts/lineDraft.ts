import { err, ok, type Result } from "../../base/result.ts";
import { dominantEol, joinLines, splitLines } from "../../base/text/lines.ts";
import type { OffsetRange, SyntaxDocument } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import { editsBetween } from "../text/changeSet.ts";
import type { BlockEffect, Draft, DraftBlock, OpenedPlace } from "./draft.ts";
import { applyLineChanges, type FileLines, fileLines, type LineChange, type LinePlace, linePlace, linesOverlap } from "./lineChange.ts";

interface Placed {
  readonly block: DraftBlock;
  readonly change: LineChange;
}

/** With more blocks, syntax errors are not traced to single ones. */
const MAX_SINGLE_CHECKS = 20;

/**
 * Line mode: every address means the snapshot, and all changes are applied together. Bodies are taken as written, since a change of
 * indent is an edit like any other.
 */
export class LineDraft implements Draft {
  private readonly snapshot: string;
  private readonly document: SyntaxDocument | null;
  private readonly file: FileLines;
  private readonly eol: "\n" | "\r\n" | "\r";
  private placed: readonly Placed[] = [];
  /** Changes taken out because they overlapped; later ones must not fall on them either. */
  private readonly clashed: Placed[] = [];
  private made: { readonly text: string; readonly ranges: ReadonlyMap<string, OffsetRange> } | null = null;

  /** `document` holds the snapshot and is used up by {@link finish}; null without a grammar. */
  constructor(snapshot: string, document: SyntaxDocument | null) {
    const lines = splitLines(snapshot);
    this.snapshot = snapshot;
    this.document = document;
    this.file = fileLines(lines);
    this.eol = dominantEol(lines) ?? "\n";
  }

  text(): string {
    return this.make().text;
  }

  ranges(): ReadonlyMap<string, OffsetRange> {
    return this.make().ranges;
  }

  open(block: DraftBlock): Result<OpenedPlace, BlockReason> {
    if (block.address?.kind !== "lines") return err({ code: "invalid-address" });
    const place = linePlace(this.file, block.address.start, block.address.end, block.op);
    if (!place.ok) return place;
    const close = (lines: readonly string[]) => this.close(block, place.value, lines);
    const old = this.file.lines.slice(place.value.start, place.value.end);
    const oldText = joinLines(old);
    const overlapping = this.placed.some(({ change }) => linesOverlap(change, place.value));
    if (block.op === "remove" || overlapping) return ok({ growth: null, oldText, close });
    const changes = [...this.placed.map(({ change }) => change), { ...place.value, lines: old.map((line) => line.text) }];
    const { text, ranges } = applyLineChanges(this.file, changes, this.eol);
    const range = ranges.at(-1) ?? { start: text.length, end: text.length };
    return ok({ growth: { text, range, before: "", after: "", terminated: true, indent: null, eol: this.eol }, oldText, close });
  }

  finish(): ReadonlySet<string> {
    const { document, placed } = this;
    if (!document || document.errorCount() > 0) return new Set();
    const check = (changes: readonly Placed[]): number => {
      const { text } = applyLineChanges(
        this.file,
        changes.map(({ change }) => change),
        this.eol,
      );
      for (const edit of editsBetween(document.text, text).reverse()) document.edit(edit, edit.newText);
      return document.errorCount();
    };
    if (check(placed) === 0) return new Set();
    const single = placed.length <= MAX_SINGLE_CHECKS ? placed.filter((one) => check([one]) > 0) : placed;
    return new Set((single.length > 0 ? single : placed).map(({ block }) => block.blockId));
  }

  private close(block: DraftBlock, place: LinePlace, lines: readonly string[]): Result<BlockEffect, BlockReason> {
    if (lines.length === 0 && place.start === place.end) return err({ code: "empty-body" });
    const change = { ...place, lines: block.op === "remove" ? [] : lines };
    const clashing = [...this.placed, ...this.clashed].filter((other) => linesOverlap(other.change, change));
    if (clashing.length > 0) {
      this.clashed.push({ block, change }, ...this.placed.filter((other) => clashing.includes(other)));
      this.placed = this.placed.filter((other) => !clashing.includes(other));
    } else this.placed = [...this.placed, { block, change }];
    this.made = null;
    return ok({ addsSyntaxError: false, clashes: clashing.map((other) => ({ blockId: other.block.blockId, target: other.block.target })) });
  }

  private make(): { readonly text: string; readonly ranges: ReadonlyMap<string, OffsetRange> } {
    if (this.made) return this.made;
    if (this.placed.length === 0) return { text: this.snapshot, ranges: new Map() };
    const changes = this.placed.map(({ change }) => change);
    const { text, ranges } = applyLineChanges(this.file, changes, this.eol);
    const byBlock = this.placed.map(({ block }, index) => [block.blockId, ranges[index] ?? { start: 0, end: 0 }] as const);
    this.made = { text, ranges: new Map(byBlock) };
    return this.made;
  }
}
