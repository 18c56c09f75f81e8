import type { AgentTurn, ToolCallState } from "../../src/turns/turn.ts";

/** What a running turn is doing; times in milliseconds unless named otherwise. */
export type Activity =
  | {
      readonly code:
        | "needs-permission"
        | "needs-answer"
        | "compacting"
        | "thinking"
        | "answering"
        | "waiting";
    }
  | { readonly code: "writing"; readonly path: string }
  /** `call` is the one that started first. */
  | {
      readonly code: "running";
      readonly call: Pick<ToolCallState, "name" | "origin">;
      readonly tools: number;
      readonly elapsedMs: number;
    }
  /** Of so many models that answer side by side, this many are not done. */
  | { readonly code: "models"; readonly left: number; readonly all: number }
  | { readonly code: "retrying"; readonly seconds: number };

/**
 * What a turn waits for, else what it does, at `now` (milliseconds since 1970, by the clock of the
 * events).
 */
export function activityOf(turn: AgentTurn, now: number): Activity {
  const calls = [...turn.toolCalls.values()];
  if (calls.some((call) => call.approval?.decision === "pending"))
    return { code: "needs-permission" };
  if (calls.some((call) => call.question)) return { code: "needs-answer" };
  const writing = [...turn.edits.values()].findLast((edit) => edit.status === "streaming");
  if (writing) return { code: "writing", path: writing.path };
  const running = calls.filter((call) => call.status === "running");
  const [first] = running;
  if (first)
    return {
      code: "running",
      call: { name: first.name, origin: first.origin },
      tools: running.length,
      elapsedMs: now - (first.startedAt ?? now),
    };
  const { candidates } = turn;
  const left = candidates.filter(({ end }) => end === null).length;
  if (candidates.length > 0) return { code: "models", left, all: candidates.length };
  if (turn.compacting) return { code: "compacting" };
  if (turn.retryAt !== null)
    return { code: "retrying", seconds: Math.max(1, Math.ceil((turn.retryAt - now) / 1000)) };
  const last = turn.parts.at(-1);
  if (last?.type === "reasoning") return { code: "thinking" };
  return { code: last?.type === "text" && last.step === turn.step ? "answering" : "waiting" };
}

/** The same for a turn with agents at work: what one of them asks the user comes first. */
export function activityWithin(
  turn: AgentTurn,
  agents: readonly AgentTurn[],
  now: number,
): Activity {
  const asks = agents
    .filter(({ endReason }) => endReason === null)
    .map((agent) => activityOf(agent, now))
    .find(({ code }) => code === "needs-permission" || code === "needs-answer");
  return asks ?? activityOf(turn, now);
}
