import type { AgentTurn } from "../src/turns/turn.ts";
import { elapsedText } from "./duration.ts";

/**
 * What a running turn is doing, in a few words: what it waits for comes before what it does. `now` is in milliseconds since 1970, by the
 * clock of the events.
 */
export function activityText(turn: AgentTurn, now: number): string {
  for (const call of turn.toolCalls.values()) if (call.approval?.decision === "pending") return "Waiting for your permission";
  for (const call of turn.toolCalls.values()) if (call.question) return "Waiting for your answer";
  const files = new Set<string>();
  let writing: string | null = null;
  for (const edit of turn.edits.values()) {
    if (edit.status === "pending" || edit.undecided) files.add(edit.path);
    if (edit.status === "streaming") writing = edit.path;
  }
  if (files.size > 0) return `Waiting for your review of ${[...files].join(", ")}`;
  if (writing !== null) return `Writing ${writing}`;
  const running = [...turn.toolCalls.values()].filter((call) => call.status === "running");
  const [first] = running;
  if (first) {
    const what = running.length === 1 ? first.name : `${running.length} tools`;
    return `Running ${what}${elapsed(first.startedAt ?? now, now)}`;
  }
  if (turn.compacting) return "Summing up the earlier conversation";
  if (turn.retryAt !== null) return `Trying again in ${Math.max(1, Math.ceil((turn.retryAt - now) / 1000))} s`;
  const last = turn.parts.at(-1);
  if (last?.type === "reasoning") return "Thinking";
  return last?.type === "text" && last.step === turn.step ? "Answering" : "Waiting for the model";
}

function elapsed(since: number, now: number): string {
  const text = elapsedText(now - since);
  return text === "" ? "" : ` · ${text}`;
}
