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
