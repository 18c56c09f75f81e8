import type { Result } from "../../base/result.ts";
import type { OffsetRange } from "../../base/text/scan.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { LostMembers } from "../elements/lostMembers.ts";
import type { Neighbors } from "./lineChange.ts";
import type { StreamingText } from "./streamingText.ts";
import type { BlockAdjustment, WrittenBlock } from "./writtenBlock.ts";

/** A block that cannot stand beside another one. */
export interface BlockClash {
  readonly blockId: string;
  readonly target: string;
}

/** What a block did to the draft. */
export interface BlockEffect {
  /** By a diff of the texts before and after. */
  readonly addedLines: number;
  readonly removedLines: number;
  readonly addsSyntaxError: boolean;
  /** What a replacement does to the element it replaces and its siblings. */
  readonly warnings?: readonly BlockWarning[];
  readonly adjustments?: readonly BlockAdjustment[];
  /** Blocks that change the same text; neither they nor this one remain in the draft. */
  readonly clashes: readonly BlockClash[];
}

/**
 * An element, or lines of it, that a block takes out; `start` includes the comments that go with
 * it.
 */
export interface ReplacedElement extends OffsetRange {
  readonly elementStart: number;
  /**
   * True for a section whose lines say where it ends, as imports do: a line beside it may have been
   * one of its own.
   */
  readonly isSection?: boolean;
}

/** Where an open block goes. */
export interface Placement {
  /** The text while its lines stream; null where there are none to show, as for a deletion. */
  readonly growing: StreamingText | null;
  /** The text that will be replaced or deleted, lines with their breaks; "" for an insertion. */
  readonly oldText: string;
  /**
   * The element that goes or is replaced, in offsets of the draft's text; absent for an insertion
   * and for lines.
   */
  readonly replaced?: ReplacedElement;
  /** The path of the whole element that was found. */
  readonly path?: string;
  /** Left out for a whole element or file. */
  readonly neighbors?: Neighbors;
  /**
   * Puts the block's lines into the draft, or says why not. `bodyEol` is the break they had, for a
   * text without any.
   */
  close(lines: readonly string[], bodyEol: "\n" | "\r\n"): Result<BlockEffect, BlockReason>;
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
  /** How many more elements have a path than before, numbers left out. */
  countChange?(path: string): number;
  /** What is gone of the element that a block replaced. */
  readonly losses?: ReadonlyMap<string, LostMembers>;
}

/**
 * Puts blocks into a draft, a text of the file with all of them so far, in one mode. One block is
 * open at a time.
 */
export interface Placer {
  /** The draft: the text with every block closed so far. */
  text(): string;
  /** Where each block's text is in {@link text}. */
  ranges(): ReadonlyMap<string, OffsetRange>;
  /** Finds a block's place, or says why it has none. */
  open(block: WrittenBlock): Result<Placement, BlockReason>;
  /** Everything is in: what the blocks do to the whole, whatever they did when they closed. */
  finish(): WholeEffect;
}
