import type { EditBlock, EditStatus } from "../turns/turnEvent.ts";
import type { Address } from "./address.ts";

/** An edit block from its first character to its end. */
export interface CapturedBlock {
  readonly blockId: string;
  /** 1-based within the turn. */
  readonly index: number;
  /** Null for the whole file, and for an address that is none. */
  readonly address: Address | null;
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
  addedLines: number;
  removedLines: number;
  /** The body, without line breaks. */
  readonly lines: string[];
}

/** The block as the turn's record has it. */
export function editBlockOf(block: CapturedBlock, callId: string, path: string): EditBlock {
  const { blockId, index, target, op, status, reason, warning, addedLines, removedLines, step, textStart, textEnd } = block;
  return { blockId, callId, path, index, target, op, status, reason, warning, addedLines, removedLines, step, textStart, textEnd };
}
