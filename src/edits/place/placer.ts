import { err, type Result } from "../../base/result.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { Block, BlockAdjustment, PlacedBody, WrittenBody } from "../block.ts";
import type { LostMembers } from "../elements/lostMembers.ts";
import type { Neighbors } from "../text/fileLines.ts";
import type { StreamingText } from "./streamingText.ts";

/** What a block did to the draft. */
export interface BlockEffect {
  /** By a diff of the texts before and after. */
  readonly addedLines: number;
  readonly removedLines: number;
  /** What a replacement does to its element, its siblings and the syntax. */
  readonly warnings?: readonly BlockWarning[];
  readonly adjustments?: readonly BlockAdjustment[];
}

/** What a block takes out of an element; `start` includes the comments that go with it. */
export interface ReplacedElement extends OffsetRange {
  readonly elementStart: number;
  /** True for imports, whose lines say where they end: a line beside may have been one. */
  readonly isSection?: boolean;
}

/** Where an open block goes. */
export interface Placement {
  /** The text while its lines stream; null where there are none to show, as for a deletion. */
  readonly growing: StreamingText | null;
  /** The text that will be replaced or deleted, lines with their breaks; "" for an insertion. */
  readonly oldText: string;
  /** The element that goes or is replaced, in the draft's offsets; absent for other places. */
  readonly replaced?: ReplacedElement;
  /** The path of the whole element that was found. */
  readonly path?: string;
  /** Left out for a whole element or file. */
  readonly neighbors?: Neighbors;
  /** Body and replaced text as whole lines; absent for a place that is made of such. */
  readonly lines?: Pick<PlacedBody, "body" | "old">;
  /** Puts lines into the draft, or says why not; where blocks overlap, all leave it. */
  close(body: WrittenBody): Result<BlockEffect, BlockReason>;
  /** Takes the block's lines out again: more may come. Absent where that cannot be done. */
  reopen?(): void;
}

/** What blocks do to the whole text, by their ids. */
export interface WholeEffect {
  readonly addsSyntaxError: ReadonlySet<string>;
  /** The elements, by their paths, whose heads a block's lines replaced, and that are gone. */
  readonly cuts: ReadonlyMap<string, string>;
  /** Elements that a block's lines add a second time, by their paths. */
  readonly doubles?: ReadonlyMap<string, string>;
  /** The element that a block replaced, by its path, where it is gone. */
  readonly gone?: ReadonlyMap<string, string>;
  /** What is gone of the element that a block replaced. */
  readonly losses?: ReadonlyMap<string, LostMembers>;
}

/** A text of the file with all blocks so far. */
export interface Draft {
  text(): string;
  /** Where each block's text is in {@link text}. */
  ranges(): ReadonlyMap<string, OffsetRange>;
  /** Everything is in: what the blocks do to the whole, whatever they did when they closed. */
  finish(): WholeEffect;
}

/** Puts blocks into a draft, by addresses of one kind. One block is open at a time. */
export interface Placer extends Draft {
  /** Finds a block's place, or says why it has none. */
  open(block: Block): Result<Placement, BlockReason>;
}

/** Without place for more blocks: what is left of a placer after an error that may have damaged it. */
export function closedPlacer(
  text: string,
  ranges: ReadonlyMap<string, OffsetRange>,
  error: unknown,
): Placer {
  const reason: BlockReason = { code: "internal", said: thrownText(error) };
  return {
    text: () => text,
    ranges: () => ranges,
    open: () => err(reason),
    finish: () => ({ addsSyntaxError: new Set(), cuts: new Map() }),
  };
}
