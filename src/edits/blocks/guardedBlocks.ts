import type { FileError, FileRef } from "../../ports/workspace.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { WrittenBlock } from "../drafts/writtenBlock.ts";

/** A block that a guard did not let through: it needs a look before it is proposed. */
export interface GuardedBlock {
  readonly turnId: string;
  readonly callId: string;
  readonly file: FileRef;
  /** The file's text that its address is for. */
  readonly base: string;
  readonly block: WrittenBlock;
}

/** Why a held block cannot be proposed. */
export type GuardedFailure =
  | { readonly code: "turn-running" | "forgotten" | "stopped" }
  | { readonly code: "file"; readonly error: FileError }
  | { readonly code: "no-ast-paths" | "file-changed"; readonly path: string }
  | {
      readonly code: "no-place";
      readonly path: string;
      readonly target: string;
      readonly reason: BlockReason;
    };

/** Maximum number of remembered blocks. */
const MAX_HELD = 100;

/** The held blocks of one chat. */
export class GuardedBlocks {
  private readonly blocks: GuardedBlock[] = [];

  keep(held: GuardedBlock): void {
    this.blocks.push(held);
    if (this.blocks.length > MAX_HELD) this.blocks.shift();
  }

  /** The block of a turn, or null where it is forgotten or no longer held. */
  find(turnId: string, blockId: string): GuardedBlock | null {
    return (
      this.blocks.findLast(
        (held) =>
          held.turnId === turnId && held.block.blockId === blockId && held.block.status === "held",
      ) ?? null
    );
  }
}
