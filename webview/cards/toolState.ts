import type { ToolCallState } from "../../src/turns/turn.ts";
import { t } from "../l10n.ts";
import type { StateLabel } from "./editState.ts";

const labels: Readonly<Record<Exclude<ToolCallState["status"], "success">, StateLabel>> = {
  pending: { icon: "clock", word: t("waiting"), tone: "wait" },
  running: { icon: "spinner", word: t("running"), tone: "busy" },
  error: { icon: "warning", word: t("failed"), tone: "bad" },
  cancelled: { icon: "stopped", word: t("canceled"), tone: "off" },
};

/** True for a call that the user or a rule denied. */
export function wasDenied({
  approval,
  status,
}: Pick<ToolCallState, "approval" | "status">): boolean {
  return approval?.decision === "denied" && status === "error";
}

/**
 * The icon and the word of a tool call's state; null for plain success, which its sentence says.
 */
export function toolState(
  call: Pick<ToolCallState, "status" | "approval" | "question" | "command">,
): StateLabel | null {
  if (call.approval?.decision === "pending")
    return { icon: "question", word: t("needs permission"), tone: "wait" };
  if (call.question) return { icon: "question", word: t("needs an answer"), tone: "wait" };
  if (wasDenied(call)) return { icon: "cross", word: t("denied"), tone: "off" };
  return call.status === "success" ? commandLabel(call.command) : labels[call.status];
}

function commandLabel(command: ToolCallState["command"]): StateLabel | null {
  if (command?.code === "running") return { icon: "clock", word: t("in background"), tone: "busy" };
  if (command?.code === "lost")
    return { icon: "stopped", word: t("ended with the window"), tone: "off" };
  if (command?.code === "killed") return { icon: "warning", word: t("terminated"), tone: "wait" };
  if (command?.code !== "exited" || command.exitCode === 0) return null;
  return { icon: "warning", word: t("exit code {code}", { code: command.exitCode }), tone: "wait" };
}
