import type { AgentTurn, TurnTree } from "../src/turns/turn.ts";
import { restoredEdits } from "../src/turns/turn.ts";
import type { TurnEvent } from "../src/turns/turnEvent.ts";
import { applyTurnEvent } from "../src/turns/turnReducer.ts";

/** What changed in one agent turn since it was last drawn. */
export interface TurnChanges {
  /** Text added to text and reasoning parts, in order; `part` is the part's index. */
  readonly appended: { readonly part: number; readonly text: string }[];
  readonly calls: Set<string>;
  readonly edits: Set<string>;
  /** The indexes of new notices and restores. */
  readonly notices: number[];
  /** True where what was drawn has another meaning now. */
  redrawn: boolean;
  /** True in the frame in which the turn ended. */
  ended: boolean;
}

/** What changed in the chat since it was last drawn. */
export interface FrameChanges {
  /** The shown branch has another end. */
  head: boolean;
  readonly turns: Map<string, TurnChanges>;
}

/** A frame without changes. */
export function unchangedFrame(): FrameChanges {
  return { head: false, turns: new Map() };
}

/**
 * Applies `event` to `tree` and notes in `changes` what to draw. The cost does not depend on the
 * turn's length.
 */
export function applyAndNote(tree: TurnTree, event: TurnEvent, changes: FrameChanges): void {
  const head = tree.headTurnId;
  const before = lastPart(tree, event.turnId);
  const seq = tree.lastSeq;
  applyTurnEvent(tree, event);
  if (tree.lastSeq === seq) return;
  if (tree.headTurnId !== head) changes.head = true;
  const turn = tree.turns.get(event.turnId);
  if (turn?.role !== "agent" || event.type === "head") return;
  const noted = changesOfTurn(changes, turn.id);
  if (event.type === "text-delta" || event.type === "reasoning-delta")
    noteText(turn, before, event.text, noted);
  if (event.type === "text-was-reasoning") noted.redrawn = true;
  if ("callId" in event) noted.calls.add(event.callId);
  if (event.type === "edit-update") noted.edits.add(event.edit.blockId);
  if (event.type === "files-restored")
    for (const { turn: other, edit } of restoredEdits(tree, event))
      changesOfTurn(changes, other.id).edits.add(edit.blockId);
  if (isNotice(turn, before.index)) noted.notices.push(turn.parts.length - 1);
  if (event.type === "turn-end") {
    noted.ended = true;
    for (const callId of turn.toolCalls.keys()) noted.calls.add(callId);
    for (const blockId of turn.edits.keys()) noted.edits.add(blockId);
  }
}

/** All of a turn as changes, for a view that begins in the middle of it. */
export function allOf(turn: AgentTurn): TurnChanges {
  const appended = turn.parts.flatMap((part, index) =>
    part.type === "text" || part.type === "reasoning" ? [{ part: index, text: part.text }] : [],
  );
  return {
    appended,
    calls: new Set(turn.toolCalls.keys()),
    edits: new Set(turn.edits.keys()),
    notices: [],
    redrawn: false,
    ended: turn.endReason !== null,
  };
}

/** True when a notice or restore was added after the part with index `before`. */
function isNotice({ parts }: AgentTurn, before: number): boolean {
  const type = parts.length - 1 > before ? parts.at(-1)?.type : undefined;
  return type === "notice" || type === "files-restored" || type === "aside";
}

function changesOfTurn(changes: FrameChanges, turnId: string): TurnChanges {
  const known = changes.turns.get(turnId);
  if (known) return known;
  const fresh: TurnChanges = {
    appended: [],
    calls: new Set(),
    edits: new Set(),
    notices: [],
    redrawn: false,
    ended: false,
  };
  changes.turns.set(turnId, fresh);
  return fresh;
}

function lastPart(
  tree: TurnTree,
  turnId: string,
): { readonly index: number; readonly length: number } {
  const turn = tree.turns.get(turnId);
  const part = turn?.role === "agent" ? turn.parts.at(-1) : undefined;
  if (turn?.role !== "agent" || !part) return { index: -1, length: 0 };
  return { index: turn.parts.length - 1, length: "text" in part ? part.text.length : 0 };
}

function noteText(
  turn: AgentTurn,
  before: { readonly index: number; readonly length: number },
  text: string,
  noted: TurnChanges,
): void {
  const index = turn.parts.length - 1;
  const part = turn.parts[index];
  if (part?.type !== "text" && part?.type !== "reasoning") return;
  // The delta itself: a slice of the part would copy the whole text on every delta.
  if (part.text.length > (index === before.index ? before.length : 0))
    noted.appended.push({ part: index, text });
}
