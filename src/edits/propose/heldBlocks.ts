import type { FileError, FileRef } from "../../ports/workspace.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { Block } from "../block.ts";

/** An edit that a guard did not let through: it needs a look before it is proposed. */
export interface HeldEdit {
  readonly turnId: string;
  readonly callId: string;
  readonly file: FileRef;
  /** The file's text that its address is for. */
  readonly base: string;
  readonly block: Block<"held">;
}

/** Why a held block cannot be proposed. */
export type HeldFailure =
  | { readonly code: "turn-running" | "forgotten" | "stopped" }
  | { readonly code: "file"; readonly error: FileError }
  | { readonly code: "no-ast-paths" | "file-changed"; readonly path: string }
  | {
      readonly code: "no-place";
      readonly path: string;
      readonly target: string;
      readonly reason: BlockReason;
    };

const MAX_HELD = 100;

/** The held blocks of one chat. */
export class HeldBlocks {
  private held: readonly HeldEdit[] = [];

  keep(edit: HeldEdit): void {
    this.held = [...this.held, edit].slice(-MAX_HELD);
  }

  /** The block of a turn, or null where it is forgotten or no longer held. */
  find(turnId: string, blockId: string): HeldEdit | null {
    return (
      this.held.findLast((edit) => edit.turnId === turnId && edit.block.blockId === blockId) ?? null
    );
  }

  /** It is proposed. False where it already was. */
  release(edit: HeldEdit): boolean {
    const isHeld = this.held.includes(edit);
    this.held = this.held.filter((other) => other !== edit);
    return isHeld;
  }
}
