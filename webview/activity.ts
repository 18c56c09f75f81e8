import type { AgentTurn } from "../src/turns/turn.ts";

/** What a running turn is doing, in a few words: what it waits for comes before what it does. */
export function activityText(turn: AgentTurn): string {
  for (const call of turn.toolCalls.values()) if (call.approval?.decision === "pending") return "Waiting for your permission";
  for (const call of turn.toolCalls.values()) if (call.question) return "Waiting for your answer";
  const files = new Set<string>();
  let writing: string | null = null;
  for (const edit of turn.edits.values()) {
    if (edit.status === "pending") files.add(edit.path);
    if (edit.status === "streaming") writing = edit.path;
  }
  if (files.size > 0) return `Waiting for your review of ${[...files].join(", ")}`;
  if (writing !== null) return `Writing ${writing}`;
  for (const call of turn.toolCalls.values()) if (call.status === "running") return `Running ${call.name}`;
  const last = turn.parts.at(-1);
  if (last?.type === "reasoning") return "Thinking";
  return last?.type === "text" && last.step === turn.step ? "Answering" : "Waiting for the model";
}
