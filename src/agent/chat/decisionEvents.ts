import { isApplied, outcomeFields } from "../../edits/drafts/writtenBlock.ts";
import type { BlockOutcome } from "../../ports/review.ts";
import type { AgentTurn } from "../../turns/turn.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";

/**
 * What the record of a turn gets when its proposed blocks have other outcomes; `userDiff` goes to
 * the last of them.
 */
export function decisionEvents(
  turn: AgentTurn,
  path: string,
  blocks: readonly BlockOutcome[],
  userDiff: string | null,
): readonly TurnEventBody[] {
  return blocks.flatMap((outcome, index) => {
    const { blockId } = outcome;
    const edit = turn.edits.get(blockId);
    if (!edit) return [];
    const diff = userDiff !== null && index === blocks.length - 1 ? { userDiff } : {};
    const decided = {
      ...edit,
      path,
      ...outcomeFields(outcome),
      isUnsaved: outcome.isUnsaved,
      rejection: outcome.rejection,
      ...diff,
    };
    // A restart tells what may be on record.
    if (JSON.stringify(decided) === JSON.stringify(edit)) return [];
    const update: TurnEventBody = { type: "edit-update", edit: decided };
    if (!isApplied(decided) || isApplied(edit)) return [update];
    return [
      update,
      { type: "change-done", callId: edit.callId, blockId, path, target: edit.target },
    ];
  });
}
