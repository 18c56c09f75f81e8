import type { OpenChatState } from "../src/protocol/messages.ts";
import { t } from "./l10n.ts";

/** What the button of another chat says: its state and its name. */
export function chatStateLabel(state: OpenChatState["state"], chat: string): string {
  switch (state) {
    case "waiting":
      return t("{chat}: waits for your answer", { chat });
    case "done":
      return t("{chat}: done", { chat });
    case "running":
      return t("{chat}: running", { chat });
  }
}

/** How many of the files to review other chats wrote. */
export function otherFilesText(count: number): string {
  return count === 1 ? t("1 from another chat") : t("{count} from other chats", { count });
}

/** Which other chats wrote a proposal. */
export function otherChatsText(chats: readonly string[]): string {
  const names = chats.map((chat) => (chat === "" ? t("another chat") : JSON.stringify(chat)));
  return t("from {chats}", { chats: names.join(", ") });
}
