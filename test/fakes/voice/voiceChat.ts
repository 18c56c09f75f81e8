import type { Chat } from "../../../src/agent/chat/chat.ts";
import type { VoiceChat } from "../../../src/voice/voiceSession.ts";

/** A chat as the voice knows it; `answer` takes the answers to its questions. */
export function voiceChat(
  chat: Chat,
  answer: VoiceChat["answer"] = () => undefined,
  { draft, show }: Partial<Pick<VoiceChat, "draft" | "show">> = {},
): VoiceChat {
  return {
    began: () => undefined,
    draft: (text) => draft?.(text),
    show: () => show?.(),
    get busy() {
      return chat.busy;
    },
    send: (text) => void chat.send(text, [], true),
    stop: () => chat.stop(),
    answer,
    speechEnded: (turnId, speech) => chat.speechEnded(turnId, speech),
    onEvent: (listener) => chat.onEvent(listener),
    onBusy: (listener) => chat.onBusy(listener),
  };
}
