import { err, ok, type Result } from "../../base/result.ts";
import { joinLines } from "../../base/text/lines.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { Block } from "../block.ts";
import { countChangedLines } from "../text/changeSet.ts";
import { type FileLines, fileLines, neighborsOf } from "../text/fileLines.ts";
import { ChangedText } from "./changedText.ts";
import {
  type LineChange,
  type LinePlace,
  lineChange,
  linePlace,
  linesOverlap,
} from "./lineChange.ts";
import type { BlockEffect, Placement, Placer, WholeEffect } from "./placer.ts";
import { StreamingText } from "./streamingText.ts";
import { type BlockChange, independentEffect } from "./wholeEffect.ts";

interface Placed {
  readonly block: Block;
  readonly change: LineChange;
}

/** Line mode: every address means the snapshot, and bodies are taken as written. */
export class LinePlacer implements Placer {
  private readonly document: SyntaxDocument | null;
  private readonly file: FileLines;
  private placed: Placed[] = [];
  /** Changes taken out because they overlapped; later ones must not fall on them either. */
  private readonly clashed: Placed[] = [];
  private changed: ChangedText;

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
    const ranges = this.changed.ranges();
    const place = (change: LineChange) => ranges.get(change) ?? { start: 0, end: 0 };
    return new Map(this.placed.map(({ block, change }) => [block.blockId, place(change)]));
  }

  open(block: Block): Result<Placement, BlockReason> {
    if (block.address?.kind !== "lines") return err({ code: "invalid-address" });
    const place = linePlace(this.file, block.address.start, block.address.end, block.op);
    if (!place.ok) return place;
    const close: Placement["close"] = ({ lines }) => this.close(block, place.value, lines);
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
      terminated: true,
      eol: this.file.eol,
    });
    return ok({ growing, oldText, neighbors, close });
  }

  finish(): WholeEffect {
    const { document, file, placed } = this;
    const changes = new Map(
      placed.map(({ block, change: { start, end } }): [string, BlockChange] => {
        const texts = file.lines.slice(start, end).map(({ text }) => text);
        const replaced = start < end ? { replaced: { start: start + 1, end, texts } } : {};
        return [block.blockId, { ...replaced, into: null }];
      }),
    );
    return independentEffect(document, changes, this.ranges(), (blocks) => {
      const own = placed.filter(({ block }) => blocks.includes(block.blockId));
      return new ChangedText(
        file,
        own.map(({ change }) => change),
      ).text;
    });
  }

  private close(
    block: Block,
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
    if (clashing.length > 0) return err(this.clash({ block, change }, clashing));
    const before = this.changed.text;
    this.placed.push({ block, change });
    this.changed.put(change);
    const { file } = this;
    // Without a final line break, a change of the last line is one of the line before, too.
    return ok(
      file.terminated || place.end < file.lines.length
        ? countChangedLines(joinLines(file.lines.slice(place.start, place.end)), change.newText)
        : countChangedLines(before, this.changed.text),
    );
  }

  private clash(own: Placed, clashing: readonly Placed[]): BlockReason {
    this.clashed.push(own, ...this.placed.filter((other) => clashing.includes(other)));
    this.placed = this.placed.filter((other) => !clashing.includes(other));
    this.changed = new ChangedText(
      this.file,
      this.placed.map(({ change }) => change),
    );
    return { code: "overlap", targets: [own, ...clashing].map(({ block }) => block.target) };
  }
}

function isSameInsertion(a: LineChange, b: LineChange): boolean {
  return (
    a.start === a.end &&
    a.start === b.start &&
    a.end === b.end &&
    a.after === b.after &&
    a.newText === b.newText
  );
}
