import { firstWords } from "../src/base/text/firstWords.ts";
import type { PanelStatus, PendingFile } from "../src/protocol/messages.ts";
import type { AgentTurn, Turn, TurnPart } from "../src/turns/turn.ts";
import type { EditBlock } from "../src/turns/turnEvent.ts";
import type { Activity } from "./answer/activity.ts";
import { t } from "./l10n.ts";

/** Characters of a request that a sentence quotes. */
const QUOTED_LENGTH = 60;
/** Milliseconds below which a running time is not worth showing. */
const SHORTEST_ELAPSED = 2_000;

/** Why a request cannot be sent while another one is being answered. */
export const STILL_ANSWERING = t("Graft is still answering. Wait, or stop it first.");

/** Why nothing can be sent, or null when it can. A running turn is no reason: the message is queued. */
export function whySendIsDisabled(status: PanelStatus | null): string | null {
  if (!status) return t("Starting…");
  if (!status.workspace) return t("Open a folder to start.");
  if (status.model.trim() === "" && !status.demo) return t("No model is set. Choose one in the settings.");
  return null;
}

/** A duration: `40 ms`, `1.2 s`, `75 s`, `3 min 5 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return t("{count} ms", { count: Math.max(0, Math.round(milliseconds)) });
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return t("{count} s", { count: seconds.toFixed(1) });
  const whole = Math.round(seconds);
  return whole < 120
    ? t("{count} s", { count: whole })
    : t("{minutes} min {seconds} s", { minutes: Math.floor(whole / 60), seconds: whole % 60 });
}

/** How long something has been running, in whole seconds; "" for less than two. */
export function elapsedText(milliseconds: number): string {
  if (milliseconds < SHORTEST_ELAPSED) return "";
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 10 ? t("{count} s", { count: seconds }) : durationText(seconds * 1000);
}

/** How long a finished tool took and how often it was retried. */
export function toolTime(milliseconds: number, retries: number): string {
  const time = durationText(milliseconds);
  if (retries === 0) return time;
  return retries === 1 ? t("{time}, 1 retry", { time }) : t("{time}, {retries} retries", { time, retries });
}

/** What a running turn is doing. */
export function activityText(activity: Activity): string {
  switch (activity.code) {
    case "needs-permission":
      return t("Waiting for your permission");
    case "needs-answer":
      return t("Waiting for your answer");
    case "writing":
      return t("Writing {file}", { file: activity.path });
    case "running": {
      const what =
        activity.tools === 1 ? t("Running {tool}", { tool: activity.tool }) : t("Running {count} tools", { count: activity.tools });
      const time = elapsedText(activity.elapsedMs);
      return time === "" ? what : `${what} · ${time}`;
    }
    case "compacting":
      return t("Compacting the conversation");
    case "retrying":
      return t("Retrying in {seconds} s", { seconds: activity.seconds });
    case "thinking":
      return t("Thinking");
    case "answering":
      return t("Answering");
    case "waiting":
      return t("Waiting for the model");
  }
}

/** `1 file`, `3 files`. */
export function fileCount(count: number): string {
  return count === 1 ? t("1 file") : t("{count} files", { count });
}

/** `1 conflict`, `2 conflicts`. */
export function conflictCount(count: number): string {
  return count === 1 ? t("1 conflict") : t("{count} conflicts", { count });
}

/** How many of a file's edits are accepted: `2 of 7 ✓`. */
export function acceptedText(accepted: number, count: number): string {
  return t("{accepted} of {count} ✓", { accepted, count });
}

/** What accepting an edit block does: `Accept Shape-area (2 hunks)`. */
export function acceptText(change: string, hunks: number): string {
  return hunks > 1 ? t("Accept {change} ({count} hunks)", { change, count: hunks }) : t("Accept {change}", { change });
}

/** What to know about a pending file besides its lines: how much is accepted, conflicts, warnings. */
export function pendingFacts({ streaming, applied, blocks, accepted, conflicts, warnings }: PendingFile): string {
  if (applied) return t("applied");
  if (streaming) return t("streaming…");
  const facts = [
    ...(blocks > 1 ? [acceptedText(accepted, blocks)] : []),
    ...(conflicts > 0 ? [conflictCount(conflicts)] : []),
    ...(warnings > 0 ? [warnings === 1 ? t("1 warning") : t("{count} warnings", { count: warnings })] : []),
  ];
  return facts.join(" · ");
}

/** What an edit block does and where: `replace lines 3-9`, `insert after Shape-area`. */
export function editAction(edit: Pick<EditBlock, "op" | "target">): string {
  const target = editPlace(edit);
  switch (edit.op) {
    case "replace":
      return t("replace {target}", { target });
    case "before":
      return t("insert before {target}", { target });
    case "after":
      return t("insert after {target}", { target });
    case "with-comment":
      return t("replace with comment {target}", { target });
    case "remove":
      return t("remove {target}", { target });
    case "append":
      return t("append to {target}", { target });
    case "prepend":
      return t("prepend to {target}", { target });
    case "complete":
      return t("write {target}", { target });
  }
}

/** What an edit block changes, as short as possible: `Shape-area`, `lines 3-9`, `remove Shape-area`. */
export function editName(edit: Pick<EditBlock, "op" | "target">): string {
  const { op } = edit;
  return op === "replace" || op === "with-comment" || op === "complete" ? editPlace(edit) : editAction(edit);
}

/** The address of an edit block without its syntax: `lines 3-9`, `line 4`, `Shape-area`. */
export function editPlace({ target }: Pick<EditBlock, "target">): string {
  return target.replace(/^ast-path:/, "").replace(/^lines (\d+)-\1$/, "line $1");
}

/** Which files a restore brought back, or that the restore was undone. */
export function restoredText({ request, files, undone }: TurnPart & { readonly type: "files-restored" }): string {
  const facts = {
    request: firstWords(request, QUOTED_LENGTH),
    files: files.map(({ path, deleted }) => (deleted && !undone ? t("{file} (deleted)", { file: path }) : path)).join(", "),
  };
  if (request === "") return undone ? t("Redid the changes of a turn: {files}", facts) : t("Undid the changes of a turn: {files}", facts);
  return undone ? t("Redid the changes since “{request}”: {files}", facts) : t("Undid the changes since “{request}”: {files}", facts);
}

/** What a permission covers when it is given for longer than one call. */
export function permissionCovers(tool: string, isCommand: boolean, server: string | null): string {
  if (server !== null) return t("all read-only tools of {server}", { server });
  return isCommand ? t("exactly this command") : tool;
}

/** Names the button that allows `what` for longer than one call. */
export function alwaysAllow(what: string, scope: "turn" | "session" | "workspace"): string {
  if (scope === "turn") return t("Always allow {what} in this turn", { what });
  return scope === "session" ? t("Always allow {what} in this session", { what }) : t("Always allow {what} in this workspace", { what });
}

/** Which of the versions of a request or an answer is shown. */
export function versionText(role: Turn["role"], number: number, count: number): string {
  const facts = { number, count };
  return role === "user" ? t("Version {number} of {count} of this request", facts) : t("Version {number} of {count} of this answer", facts);
}

/** How long an answer took and how many tokens it cost, where known. */
export function turnFacts({ startedAt, endedAt, inputTokens, outputTokens }: AgentTurn): string {
  const tokens = inputTokens + outputTokens;
  const facts = [
    ...(endedAt === null ? [] : [durationText(endedAt - startedAt)]),
    ...(tokens > 0 ? [t("{count} tokens", { count: tokens.toLocaleString("en") })] : []),
  ];
  return facts.join(" · ");
}
