import type { EditBlock } from "./editBlock.ts";

/** Edits to one file, worked out but not yet written. */
export interface EditPlan {
  /** What was found, said before edit mode is asked for. */
  readonly found: string;
  readonly lineNumbers: boolean;
  /** Said above the blocks. */
  readonly words: string;
  readonly blocks: readonly EditBlock[];
}

/** Most blocks in one answer, so that a demonstration ends within sight. */
export const MAX_BLOCKS = 40;
