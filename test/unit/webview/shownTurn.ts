import assert from "node:assert/strict";
import type { AgentTurn } from "../../../src/turns/turn.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { applyAndNote, unchangedFrame } from "../../../webview/turnChanges.ts";
import type { TurnScript } from "../../fakes/turns/turnScript.ts";

/** The answers of a script, as the panel has them. */
export function answersOf(script: TurnScript): readonly AgentTurn[] {
  const tree = emptyTree();
  for (const event of script.events) applyAndNote(tree, event, unchangedFrame());
  return [...tree.turns.values()].flatMap((turn) => (turn.role === "agent" ? [turn] : []));
}

/** The last answer of a script. */
export function shownTurn(script: TurnScript): AgentTurn {
  const turn = answersOf(script).at(-1);
  assert.ok(turn);
  return turn;
}
