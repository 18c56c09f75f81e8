import type { Localize } from "../../base/localize.ts";
import type { OpenChatState } from "../../protocol/messages.ts";
import type { ChatNotice } from "./chatNotices.ts";
import type { ChatProblem } from "./chatSessions.ts";

/** Why nothing was done with a chat. */
export function chatProblemMessage(t: Localize, problem: ChatProblem): string {
  switch (problem) {
    case "open-elsewhere":
      return t("This chat is open in another window. Open it here first, then try again.");
    case "turn-elsewhere":
      return t(
        "Another window keeps this chat while a turn runs in it. Stop the turn there, or try again when it is over.",
      );
    case "not-found":
      return t("This chat no longer exists.");
    case "empty":
      return t("This chat is empty.");
    case "no-chats":
      return t("This workspace has no earlier chats.");
  }
}

/** What the user confirms before a chat is deleted. */
export function deleteChatDetail(t: Localize, running: boolean): string {
  const detail = t(
    "Files stay as they are, but Graft can no longer undo this chat's changes. You cannot restore the chat.",
  );
  return running ? `${t("Its running turn is stopped.")} ${detail}` : detail;
}

/** Tells a user who looks elsewhere of a chat. */
export function chatNoticeMessage(t: Localize, notice: ChatNotice, title: string): string {
  switch (notice) {
    case "done":
      return t("Graft is done: {title}", { title });
    case "failed":
      return t("Graft could not finish: {title}", { title });
    case "asks":
      return t("Graft asks: {title}", { title });
  }
}

/** What is going on in a chat. */
export function chatStateText(t: Localize, state: OpenChatState["state"]): string {
  switch (state) {
    case "running":
      return t("running");
    case "waiting":
      return t("waits for your answer");
    case "done":
      return t("done, not seen yet");
  }
}

/** `1 request`, `3 requests`. */
export function requestCount(t: Localize, count: number): string {
  return count === 1 ? t("1 request") : t("{count} requests", { count });
}

/**
 * A time in a list: the hour for today, else the date too. `at` is milliseconds since 1970; 0,
 * which means unknown, gives "".
 */
export function listedTime(at: number): string {
  if (at === 0) return "";
  const time = new Date(at);
  const listed =
    new Date().toDateString() === time.toDateString()
      ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
      : time.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  // Some languages have a space there that `t` would show as a code.
  return listed.replaceAll("\u202f", " ");
}
