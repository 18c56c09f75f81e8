import type { Chat } from "../../agent/chat/chat.ts";
import { type Disposable, disposable } from "../../base/disposable.ts";
import type { VoiceChat } from "../../voice/voiceSession.ts";
import type { CurrentChat } from "../chats/currentChat.ts";

/** The chat that the panel shows, whichever it is, as the voice knows it. */
export function createVoiceChat(
  chats: Pick<CurrentChat<Chat>, "chat" | "onShown">,
  answer: VoiceChat["answer"],
  run: (what: string, work: Promise<unknown>) => void,
): VoiceChat {
  const follow = (listen: (chat: Chat) => Disposable) => {
    let listening = listen(chats.chat);
    const shown = chats.onShown((chat) => {
      listening.dispose();
      listening = listen(chat);
    });
    return disposable(() => {
      shown.dispose();
      listening.dispose();
    });
  };
  return {
    get busy() {
      return chats.chat.busy;
    },
    send: (text) => run("Sending", chats.chat.send(text, [], true)),
    stop: () => chats.chat.stop(),
    answer,
    speechEnded: (turnId, speech) => chats.chat.speechEnded(turnId, speech),
    onEvent: (listener) => follow((chat) => chat.onEvent(listener)),
    onBusy: (listener) => follow((chat) => chat.onBusy(listener)),
  };
}
