import { isAlreadyThere, isApplied, outcomeFields } from "../../edits/block.ts";
import type { BlockOutcome } from "../../ports/review.ts";
import { branch } from "../../turns/branch.ts";
import type { AgentTurn, TurnTree } from "../../turns/turn.ts";
import type { BlockName, RestoredFile, TurnEventBody } from "../../turns/turnEvent.ts";
import { outdatedCommands } from "../loop/outdatedCommands.ts";

/** A restore, or that it was `undone`; of `blocks`, if any, only these. */
interface RestoredEdits {
  readonly files: readonly RestoredFile[];
  readonly undone: boolean;
  readonly blocks: readonly BlockName[];
}

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
    const { undone, ...before } = edit;
    const decided = {
      ...before,
      path,
      ...outcomeFields(outcome),
      isUnsaved: outcome.isUnsaved,
      rejection: outcome.rejection,
      ...diff,
      ...(undone && isApplied(outcome) && { undone }),
    };
    // A restart tells what may be on record.
    if (JSON.stringify(decided) === JSON.stringify(edit)) return [];
    const update: TurnEventBody = { type: "edit-update", edit: decided };
    if (!isApplied(decided) || isAlreadyThere(decided) || isApplied(edit)) return [update];
    return [
      update,
      { type: "change-done", callId: edit.callId, blockId, path, target: edit.target },
    ];
  });
}

/** What the records get where blocks of a turn have these outcomes, by turn. */
export function decidedEvents(
  tree: TurnTree,
  turnId: string,
  path: string,
  blocks: readonly BlockOutcome[],
  userDiff: string | null,
): readonly (readonly [turnId: string, TurnEventBody])[] {
  const turn = tree.turns.get(turnId);
  if (turn?.role !== "agent") return [];
  const own = decisionEvents(turn, path, blocks, userDiff);
  return [
    ...own.map((event) => [turnId, event] as const),
    ...outdatedCommands(tree, turnId, path, blocks),
  ];
}

/** What the records get where the file at `path` was saved, by turn. */
export function savedEvents(
  { turns }: TurnTree,
  path: string,
): readonly (readonly [turnId: string, TurnEventBody])[] {
  return [...turns.values()].flatMap((turn) =>
    (turn.role === "agent" ? [...turn.edits.values()] : []).flatMap((edit) => {
      const { isUndoUnsaved, ...saved } = edit;
      const isThere = edit.path === path || (edit.op === "rename" && edit.target === path);
      return isUndoUnsaved && isThere
        ? [[turn.id, { type: "edit-update", edit: saved }] as const]
        : [];
    }),
  );
}

/**
 * What the records get of a restore to before agent turn `turnId`, see `Chat.filesRestored`; by
 * turn. `running` is the one that runs.
 */
export function restoredEvents(
  tree: TurnTree,
  turnId: string,
  running: string | null,
  { files, undone, blocks }: RestoredEdits,
): readonly (readonly [turnId: string, TurnEventBody])[] {
  const turn = tree.turns.get(turnId);
  if (!turn) return [];
  const asked = turn.parentTurnId ? tree.turns.get(turn.parentTurnId) : undefined;
  const last = branch(tree, tree.headTurnId).findLast(({ role }) => role === "agent");
  const event: TurnEventBody = {
    type: "files-restored",
    request: asked?.role === "user" ? asked.text : "",
    files: [...files],
    ...(undone && { undone }),
    ...(blocks.length > 0 && { blocks: [...blocks] }),
  };
  return [...new Set([turnId, last?.id ?? turnId, running ?? turnId])].map((id) => [id, event]);
}
