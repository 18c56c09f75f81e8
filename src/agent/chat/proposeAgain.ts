import type { HeldFailure } from "../../edits/propose/heldBlocks.ts";
import { proposeHeld } from "../../edits/propose/proposeHeld.ts";
import { type BroughtBack, bringBack } from "../../edits/propose/takenBack.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { ChatTools } from "./chatTools.ts";

/**
 * Proposes a guarded block of agent turn `turnId`, or one that a command took back. `brought`
 * records the outcomes of what is pending again; a failure changes nothing.
 */
export async function proposeAgain(
  { tree, tools }: { readonly tree: TurnTree; readonly tools: ChatTools },
  { turnId, blockId }: { readonly turnId: string; readonly blockId: string },
  emit: EmitTurnEvent,
  brought: (part: BroughtBack, path: string) => void,
  signal: AbortSignal,
): Promise<HeldFailure | null> {
  const { edits, proposals } = tools;
  const held = edits.held.find(turnId, blockId);
  if (held) return proposeHeld(held, edits, emit, signal);
  const edit = editOf(tree, turnId, blockId);
  if (edit?.status !== "withdrawn") return { code: "forgotten" };
  const { takenBack } = proposals;
  const again = await bringBack({ turnId, edit }, { ...edits, takenBack, signal }, (block) => {
    return editOf(tree, block.origin.turnId, block.blockId)?.status === "withdrawn";
  });
  if (!again.ok) return again.error;
  for (const part of again.value) brought(part, edit.path);
  return null;
}

function editOf({ turns }: TurnTree, turnId: string, blockId: string): EditBlock | undefined {
  const turn = turns.get(turnId);
  return turn?.role === "agent" ? turn.edits.get(blockId) : undefined;
}
