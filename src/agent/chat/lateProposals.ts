import { newId } from "../../base/ids.ts";
import type { HeldFailure } from "../../edits/propose/heldBlocks.ts";
import { type AnswerCode, proposeCode } from "../../edits/propose/proposeCode.ts";
import { proposeHeld } from "../../edits/propose/proposeHeld.ts";
import { type BroughtBack, bringBack } from "../../edits/propose/takenBack.ts";
import type { EditBlock } from "../../turns/editBlock.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { StreamHub } from "../loop/streamHub.ts";
import type { ChatTools } from "./chatTools.ts";

/** The parts of a chat that propose something of a turn that is over. */
interface LateParts {
  readonly tree: TurnTree;
  readonly tools: ChatTools;
  readonly hub: StreamHub;
  /** True while a turn runs: nothing is proposed then. */
  busy(): boolean;
  /** Records the outcomes of what is pending again. */
  brought(part: BroughtBack, path: string): void;
  readonly signal: AbortSignal;
}

/**
 * Proposes a guarded block of agent turn `turnId`, or one that a command took back. A failure
 * changes nothing.
 */
export async function proposeAgain(
  { tree, tools, hub, busy, brought, signal }: LateParts,
  turnId: string,
  blockId: string,
): Promise<HeldFailure | null> {
  if (busy()) return { code: "turn-running" };
  const { edits, proposals } = tools;
  const held = edits.held.find(turnId, blockId);
  if (held) return proposeHeld(held, edits, hub.emitter(turnId), signal);
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

/** Proposes a code block of agent turn `turnId`. */
export async function proposeAnswerCode(
  { tree, tools, hub, busy, signal }: LateParts,
  turnId: string,
  answer: AnswerCode,
): Promise<HeldFailure | null> {
  const turn = tree.turns.get(turnId);
  if (busy()) return { code: "turn-running" };
  if (turn?.role !== "agent") return { code: "forgotten" };
  const place = { callId: newId("apply"), step: turn.step, index: turn.edits.size + 1 };
  const choose: AnswerCode["choose"] = async (places) => {
    const chosen = await answer.choose(places);
    return busy() ? null : chosen;
  };
  const applying = { turnId, ...place, emit: hub.emitter(turnId) };
  return proposeCode({ ...answer, choose }, tools.edits, applying, signal);
}

function editOf({ turns }: TurnTree, turnId: string, blockId: string): EditBlock | undefined {
  const turn = turns.get(turnId);
  return turn?.role === "agent" ? turn.edits.get(blockId) : undefined;
}
