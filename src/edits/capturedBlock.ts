import type { BlockOutcome } from "../ports/review.ts";
import type { EditBlock, EditStatus, Guard } from "../turns/turnEvent.ts";

/** An edit block from its first character to its end. */
export interface CapturedBlock {
  readonly blockId: string;
  /** 1-based within the turn. */
  readonly index: number;
  /** The address as people read it: `lines 3-9`, `ast-path:Shape-area`, `complete file`. */
  readonly target: string;
  /** The address as the opener has it: `3:9`, `ast-path:Shape-area`; `complete file` for a plain block. */
  readonly written: string;
  readonly op: EditBlock["op"];
  readonly step: number;
  readonly textStart: number;
  textEnd: number | null;
  status: EditStatus;
  /** A sentence for the user about any state that is not plain success. */
  reason: string | null;
  /** The same for the model where it is another one, else null. */
  reportReason: string | null;
  /** A guard's sentence; the block is then never accepted automatically. */
  warning: string | null;
  /** The part of the warning that stays whatever later blocks do. */
  deletionWarning: string | null;
  guards: readonly Guard[];
  /** True for a conflict that waits for the user. */
  undecided: boolean;
  addedLines: number;
  removedLines: number;
  /** The body, without line breaks. */
  readonly lines: string[];
}

/** The block as the turn's record has it. */
export function editBlockOf(block: CapturedBlock, callId: string, path: string): EditBlock {
  const { blockId, index, target, op, status, reason, warning, guards, addedLines, removedLines, step, textStart, textEnd } = block;
  const said = { ...(guards.length > 0 && { guards: [...guards] }), ...(block.undecided && { undecided: true }) };
  return { blockId, callId, path, index, target, op, status, reason, warning, ...said, addedLines, removedLines, step, textStart, textEnd };
}

/** Gives a block what has become of it in a review, `undecided` where that is open: `pending` while the user decides. True when it is in another state now. */
export function decideBlock(block: CapturedBlock, outcomes: readonly BlockOutcome[], undecided: EditStatus): boolean {
  const decided = outcomes.find(({ blockId }) => blockId === block.blockId);
  const status = decided?.status ?? undecided;
  const reason = decided?.reason ?? null;
  const open = status === "conflict" && undecided === "pending";
  if (block.status === status && block.reason === reason && block.undecided === open) return false;
  block.status = status;
  block.undecided = open;
  block.reason = reason;
  return true;
}

/** A block whose opener has just been read. */
export function openedBlock(
  part: Pick<CapturedBlock, "blockId" | "index" | "step" | "target" | "written" | "op" | "textStart">,
): CapturedBlock {
  return {
    ...part,
    textEnd: null,
    status: "streaming",
    reason: null,
    reportReason: null,
    warning: null,
    addedLines: 0,
    removedLines: 0,
    deletionWarning: null,
    guards: [],
    undecided: false,
    lines: [],
  };
}
