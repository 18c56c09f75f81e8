import type { BlockOutcome, BlockWarning } from "../../ports/review.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EditBlock, EditStatus } from "../../turns/turnEvent.ts";
import type { AddressedLines } from "../drafts/address.ts";
import type { BodyAdjustment } from "../drafts/draft.ts";

/** What Graft changed in a block before it was captured. */
export type BlockAdjustment =
  /** Its checks fit other lines than it names. */
  | { readonly code: "moved"; readonly to: AddressedLines }
  | BodyAdjustment
  /** All its lines began with their numbers. */
  | { readonly code: "line-numbers" }
  /** It began with a comment that is only the file's name. */
  | { readonly code: "file-name" }
  | { readonly code: "repaired"; readonly slips: readonly BodySlip[] };

/** A slip in a body: blanks at line ends, tabs for spaces or the reverse, or all lines shifted. */
export type BodySlip = "trailing-blanks" | "indentation" | "shifted";

/** An edit block from its first character to its end. */
export interface CapturedBlock {
  readonly blockId: string;
  /** 1-based within the turn. */
  readonly index: number;
  /** The address as people read it: `lines 3-9`, `ast-path:Shape-area`, `complete file`. */
  readonly target: string;
  /**
   * The address as the opener has it: `3:9`, `ast-path:Shape-area`; `complete file` for a plain
   * block.
   */
  readonly written: string;
  /** The first line that the opener names; absent where it names none. */
  readonly line?: number;
  /** Left out for a change in a tool's arguments. */
  readonly format?: NonNullable<EditBlock["format"]>;
  readonly op: Exclude<EditBlock["op"], "delete" | "rename">;
  readonly step: number;
  readonly textStart: number;
  textEnd: number | null;
  status: EditStatus;
  /** Null for plain success. */
  reason: BlockReason | null;
  /** A block with warnings is never accepted automatically. */
  warnings: readonly BlockWarning[];
  adjustments: readonly BlockAdjustment[];
  /** True for a conflict that waits for the user. */
  undecided: boolean;
  addedLines: number;
  removedLines: number;
  /** The body, without line breaks. */
  readonly lines: string[];
}

/** Why a block is not part of the proposal. */
export type BlockFailure = { readonly status: EditStatus; readonly reason: BlockReason };

/** A block whose opener has just been read. */
export function openedBlock(
  part: Pick<
    CapturedBlock,
    "blockId" | "index" | "step" | "target" | "written" | "line" | "format" | "op" | "textStart"
  >,
): CapturedBlock {
  return {
    ...part,
    textEnd: null,
    status: "streaming",
    reason: null,
    warnings: [],
    adjustments: [],
    undecided: false,
    addedLines: 0,
    removedLines: 0,
    lines: [],
  };
}

/** The block as the turn's record has it. */
export function editBlockOf(block: CapturedBlock, callId: string, path: string): EditBlock {
  const {
    blockId,
    index,
    target,
    line,
    format,
    op,
    status,
    reason,
    addedLines,
    removedLines,
    step,
    textStart,
    textEnd,
  } = block;
  const address = { target, ...(line !== undefined && { line }), ...(format && { format }) };
  const place = { blockId, callId, path, index, ...address, op };
  const warnings = [...block.warnings];
  const state = {
    status,
    reason,
    warnings,
    ...(block.undecided && { undecided: true }),
    addedLines,
    removedLines,
  };
  return { ...place, ...state, step, textStart, textEnd };
}

/**
 * What a block's outcome makes of it: its status and reason, and whether it is a conflict that
 * waits for the user.
 */
export function outcomeFields({
  status,
  reason,
}: BlockOutcome): Pick<CapturedBlock, "status" | "reason" | "undecided"> {
  const waits = reason?.code === "edited-meanwhile" || reason?.code === "file-changed";
  return { status, reason, undecided: status === "conflict" && waits };
}

/** True for a block that changed its file. */
export function isApplied({ status }: Pick<EditBlock, "status">): boolean {
  return status === "applied" || status === "partly-applied";
}

/** True for a block that waits for the user. */
export function isPending({
  status,
  undecided,
}: Pick<CapturedBlock, "status" | "undecided">): boolean {
  return status === "pending" || undecided;
}
