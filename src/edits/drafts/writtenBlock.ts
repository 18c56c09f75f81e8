import type { BlockOutcome, BlockWarning } from "../../ports/review.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EditBlock, EditStatus } from "../../turns/editBlock.ts";
import type { ProvenEnds } from "../text/lineChecks.ts";
import type { Address, AddressedLines, EditOp } from "./address.ts";

/** What Graft changed in a block before it was captured, where only one reading of it remains. */
export type BlockAdjustment =
  /** Its checks fit other lines than it names. */
  | { readonly code: "moved"; readonly to: AddressedLines }
  /**
   * It begins with a comment, and therefore replaces the one above its element; or it ends with
   * one, and replaces the one after.
   */
  | { readonly code: "with-comment" | "trailing-comment" }
  /** It lacks these parts of the old head, which stay. */
  | { readonly code: "kept-head"; readonly kept: readonly string[] }
  /** Its first lines and the others were indented for different margins. */
  | { readonly code: "margin" }
  /** Its imports are written in the form of the file's. */
  | { readonly code: "import-form" }
  /** It repeats imports, which are left out. */
  | { readonly code: "repeats-imports"; readonly lines: readonly string[] }
  /** All its lines began with their numbers. */
  | { readonly code: "line-numbers" }
  | { readonly code: "repaired"; readonly slips: readonly BodySlip[] };

/** A slip in a body: blanks at line ends, tabs for spaces or the reverse, or all lines shifted. */
export type BodySlip = "trailing-blanks" | "indentation" | "shifted" | "line-break";

/** A block as written: what its opener and its body say, and what has become of it. */
export interface WrittenBlock {
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
  readonly op: EditOp;
  /**
   * Its place in the text that the session began with, once it is known which lines are meant; null
   * for a whole file, and where the opener names no place.
   */
  address: Address | null;
  /** How its first, and its last, old line begins. */
  readonly checks: readonly string[];
  /** Which ends of its lines the checks prove; null for an element, and for a whole file. */
  proven: ProvenEnds | null;
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
  isUnsaved?: true;
  /** The body, without line breaks. */
  readonly lines: string[];
  /** The line break that the body had. */
  bodyEol: "\n" | "\r\n";
}

/** Why a block is not part of the proposal. */
export type BlockFailure = { readonly status: EditStatus; readonly reason: BlockReason };

/** A block whose opener has just been read. */
export function openedBlock(
  part: Pick<
    WrittenBlock,
    "blockId" | "index" | "step" | "target" | "written" | "line" | "format" | "op" | "textStart"
  > &
    Partial<Pick<WrittenBlock, "address" | "checks">>,
): WrittenBlock {
  return {
    address: null,
    checks: [],
    ...part,
    proven: null,
    textEnd: null,
    status: "streaming",
    reason: null,
    warnings: [],
    adjustments: [],
    undecided: false,
    addedLines: 0,
    removedLines: 0,
    lines: [],
    bodyEol: "\n",
  };
}

/** The block as the turn's record has it. */
export function editBlockOf(block: WrittenBlock, callId: string, path: string): EditBlock {
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
  const state = {
    status,
    reason,
    warnings: block.warnings,
    ...(block.undecided && { undecided: true }),
    addedLines,
    removedLines,
    ...(block.isUnsaved && { isUnsaved: true as const }),
  };
  return { ...place, ...state, step, textStart, textEnd };
}

/**
 * What a block's outcome makes of it: its status and reason, whether it is a conflict that waits
 * for the user, and how much of its file's difference it is while that is known.
 */
export function outcomeFields({
  status,
  reason,
  part,
  isUnsaved,
}: BlockOutcome): Pick<WrittenBlock, "status" | "reason" | "undecided" | "isUnsaved"> &
  Partial<NonNullable<BlockOutcome["part"]>> {
  const waits = reason?.code === "edited-meanwhile" || reason?.code === "file-changed";
  return {
    status,
    reason,
    undecided: status === "conflict" && waits,
    ...part,
    ...(isUnsaved && { isUnsaved }),
  };
}

/** The failure of a block that cannot be placed. */
export function refused(reason: BlockReason): BlockFailure {
  return { status: "refused", reason };
}

/** True for a block of which nothing was to be done: the file has its text without it. */
export function isAlreadyThere({ status, reason }: Pick<EditBlock, "status" | "reason">): boolean {
  return status === "applied" && reason?.code === "already-there";
}

/** True for a block that changed its file, or whose text is there. */
export function isApplied({ status }: Pick<EditBlock, "status">): boolean {
  return status === "applied" || status === "partly-applied";
}

/** True for a block that waits for the user. */
export function isPending({
  status,
  undecided,
}: Pick<WrittenBlock, "status" | "undecided">): boolean {
  return status === "pending" || undecided;
}
