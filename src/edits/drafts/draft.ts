import type { Result } from "../../base/result.ts";
import type { OffsetRange } from "../../syntax/syntax.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { StreamingPlace } from "./streamingText.ts";

/** What a block does at its address; `replace` by default. */
export type EditOp = "replace" | "before" | "after" | "with-comment" | "remove" | "append" | "prepend";

/** The place a block is for: lines, 1-based and inclusive, or an element. */
export type Address =
  | { readonly kind: "lines"; readonly start: number; readonly end: number }
  | { readonly kind: "ast"; readonly path: string };

/** A block that cannot stand beside another one. */
export interface BlockClash {
  readonly blockId: string;
  readonly target: string;
}

/** What a block did to the draft. */
export interface BlockEffect {
  readonly addsSyntaxError: boolean;
  /** Blocks that change the same text; neither they nor this one remain in the draft. */
  readonly clashes: readonly BlockClash[];
}

/** An element, or lines of it, that a block takes out; `start` includes the comments that go with it. */
export interface ReplacedElement extends OffsetRange {
  readonly elementStart: number;
}

/** A block's place, found by its address. */
export interface OpenedPlace {
  /** How its lines are shown while they stream, or null where there are none to show, as for a deletion. */
  readonly growth: StreamingPlace | null;
  /** The text that will be replaced or deleted; "" for an insertion. */
  readonly oldText: string;
  /** The element that goes or is replaced, in offsets of the draft's text; absent for an insertion and for lines. */
  readonly replaced?: ReplacedElement;
  /** Puts the block's lines into the draft, or says why not. `bodyEol` is the break they had, for a text without any. */
  close(lines: readonly string[], bodyEol: "\n" | "\r\n"): Result<BlockEffect, BlockReason>;
}

/** One block that opens. */
export interface DraftBlock {
  readonly blockId: string;
  /** Null for the whole file. */
  readonly address: Address | null;
  readonly op: EditOp;
  readonly target: string;
}

/** A proposal in the making: how one mode puts blocks into the file's text. One block is open at a time. */
export interface Draft {
  /** The text with every block closed so far. */
  text(): string;
  /** Where each block's text is in {@link text}. */
  ranges(): ReadonlyMap<string, OffsetRange>;
  /** Finds a block's place, or says why it has none. */
  open(block: DraftBlock): Result<OpenedPlace, BlockReason>;
  /** Everything is in: the ids of the blocks that add a syntax error to the whole, whatever they did when they closed. */
  finish(): ReadonlySet<string>;
}
