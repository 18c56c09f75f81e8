import type { ToolCallState } from "../src/turns/turn.ts";
import type { StateLabel } from "./editState.ts";

const labels: Readonly<Record<ToolCallState["status"], StateLabel>> = {
  pending: { icon: "clock", word: "waiting", tone: "wait" },
  running: { icon: "spinner", word: "running", tone: "busy" },
  success: { icon: "check", word: "done", tone: "good" },
  error: { icon: "warning", word: "failed", tone: "bad" },
  cancelled: { icon: "stopped", word: "cancelled", tone: "off" },
};

/** True for a call that the user, or a rule, did not allow. */
export function wasDenied({ approval, status }: Pick<ToolCallState, "approval" | "status">): boolean {
  return approval?.decision === "denied" && status === "error";
}

/** The icon and the word of a tool call's state: a command's tells how it ended, and one whose changes are `inReview` waits for the user. */
export function toolState(
  call: Pick<ToolCallState, "name" | "status" | "approval" | "question" | "output">,
  inReview: boolean,
): StateLabel {
  if (call.approval?.decision === "pending" || call.question) return { icon: "question", word: "asks", tone: "wait" };
  if (wasDenied(call)) return { icon: "cross", word: "denied", tone: "off" };
  if (inReview && call.status === "running") return { icon: "clock", word: "in review", tone: "wait" };
  const ended = call.name === "run_command" && call.status === "success" ? commandEnd(call.output ?? "") : null;
  return ended ?? labels[call.status];
}

/** From the first line of the tool's result. */
function commandEnd(output: string): StateLabel | null {
  if (output.startsWith("Still running ")) return { icon: "clock", word: "in background", tone: "busy" };
  if (output.startsWith("Ended by ")) return { icon: "warning", word: "ended early", tone: "wait" };
  const code = /^Exit code (\d+)\.\n/.exec(output)?.[1];
  return code === undefined || code === "0" ? null : { icon: "warning", word: `exit code ${code}`, tone: "wait" };
}
