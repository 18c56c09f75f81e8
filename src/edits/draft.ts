import type { Result } from "../base/result.ts";
import type { OffsetRange } from "../syntax/syntaxTypes.ts";
import type { Address, EditOp } from "./address.ts";
import type { GrowthPlace } from "./growingText.ts";

/** Where a block goes. */
export interface BlockPlace {
  /** How its lines are shown while they stream, or null where there are none to show, as for a deletion. */
  readonly growth: GrowthPlace | null;
  /** The text that will be replaced or deleted; "" for an insertion. */
  readonly oldText: string;
}

/** The block that cannot stand beside another one. */
export interface BlockClash {
  readonly blockId: string;
  readonly target: string;
}

/** What a block did to the draft. */
export interface BlockEffect {
  /** A sentence for the user about it, or null. */
  readonly warning: string | null;
  /** Blocks that want the same text; neither they nor this one remain in the draft. */
  readonly clashes: readonly BlockClash[];
}

/** One block that opens. */
export interface DraftBlock {
  readonly blockId: string;
  readonly address: Address;
  readonly op: EditOp;
  readonly target: string;
}

/** A proposal in the making: the way one mode puts blocks into the file's text. One block is open at a time. */
export interface Draft {
  /** The text with every block closed so far. */
  text(): string;
  /** Where each block's text is in {@link text}. */
  ranges(): ReadonlyMap<string, OffsetRange>;
  /** Finds a block's place, or says why it has none. */
  open(block: DraftBlock): Result<BlockPlace, string>;
  /** Puts the lines of the block that was opened last into the text, or says why not. `bodyEol` is the break they had, for a text without any. */
  close(lines: readonly string[], bodyEol: "\n" | "\r\n"): Result<BlockEffect, string>;
  /** Everything is in: warnings for blocks that only the whole shows, by block id; blocks not named lose the warning of {@link close}. */
  finish(): ReadonlyMap<string, string>;
}

/** Why an empty body was refused. */
export const EMPTY_BODY = "the block is empty, there is nothing to insert; to delete, use `remove`";
