import type { Turn } from "../turn.ts";

/** The plan that a turn in Plan mode ended with: its last answer. Null for any other turn. */
export function planText(turn: Turn | undefined): string | null {
  if (turn?.role !== "agent" || turn.mode !== "plan" || turn.endReason !== "done") return null;
  const text = turn.parts
    .map((part) => (part.type === "text" && part.step === turn.step ? part.text : ""))
    .join("")
    .trim();
  return text === "" ? null : text;
}
