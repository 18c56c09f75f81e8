import { visibleText } from "../../src/base/text/visibleText.ts";
import type { AgentTurn, ToolCallState } from "../../src/turns/turn.ts";
import { t } from "../l10n.ts";
import { copiedText, elapsedText, toolTime } from "../messages.ts";
import { wasDenied } from "./toolState.ts";

/** Lines of a running tool's output that are shown. */
const PROGRESS_LINES = 8;

/** The last lines of a running call's output, or of a failed command's; "" for none. */
export function outputShown(call: Pick<ToolCallState, "copied" | "progress" | "command">): {
  readonly text: string;
  readonly label: string;
} {
  const progress = call.copied ? copiedText(call.copied) : call.progress;
  if (progress === "")
    return {
      text: visibleText(failedCommand(call)?.tail ?? ""),
      label: t("Last lines of the output"),
    };
  const text = visibleText(progress.split("\n").slice(-PROGRESS_LINES).join("\n"));
  return { text, label: t("Output so far") };
}

/** How long a call has been running at `now`, in milliseconds since 1970, or how long it took. */
export function timeShown(
  call: Pick<
    ToolCallState,
    "status" | "approval" | "question" | "durationMs" | "startedAt" | "retries"
  >,
  now: number,
): string {
  const { status, durationMs, startedAt, retries } = call;
  if (durationMs !== null) return wasDenied(call) ? "" : toolTime(durationMs, retries);
  const counts = status === "running" && !call.question;
  return counts && startedAt !== null ? elapsedText(now - startedAt) : "";
}

/** Why a call failed; "" for one that did not, and for a denied one, which its state says. */
export function failureShown(call: Pick<ToolCallState, "status" | "approval" | "error">): string {
  return call.status === "error" && !wasDenied(call) ? visibleText(call.error?.message ?? "") : "";
}

/** What the user answered to the model's question; "" for none. */
export function answerShown({
  name,
  status,
  output,
}: Pick<ToolCallState, "name" | "status" | "output">): string {
  const answer = name === "ask_user" && status === "success" ? (output ?? "") : "";
  return answer === "" ? "" : t("Your answer: {answer}", { answer: answer.replaceAll("\n", ", ") });
}

/**
 * True for a failed call that `newest`, the chat's newest answer, can be asked to try again or to
 * leave out. It cannot where it went on to its end without.
 */
export function canTryAgain(
  call: Pick<ToolCallState, "callId" | "status" | "approval" | "command">,
  newest: Pick<AgentTurn, "endReason" | "toolCalls"> | undefined,
): boolean {
  const hasFailed =
    failedCommand(call) !== null ||
    call.status === "cancelled" ||
    (call.status === "error" && !wasDenied(call));
  return hasFailed && newest?.endReason !== "done" && (newest?.toolCalls.has(call.callId) ?? false);
}

function failedCommand({ command }: Pick<ToolCallState, "command">) {
  if (command === null || command.code === "running" || command.code === "lost") return null;
  return command.code === "exited" && command.exitCode === 0 ? null : command;
}
