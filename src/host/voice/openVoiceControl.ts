import type { Chat } from "../../agent/chat/chat.ts";
import type { VoiceMessage } from "../../protocol/messages.ts";
import type { VoiceChat } from "../../voice/voiceSession.ts";
import type { CurrentChat } from "../chats/currentChat.ts";
import type { Host } from "../host.ts";
import type { ModelCommands } from "../models/modelCommands.ts";
import { setApiKey } from "../settings/apiKeys.ts";
import { createChosenVoice, voiceConnection } from "./chosenVoice.ts";
import { VoiceControl } from "./voiceControl.ts";

/**
 * Voice for the chat that is shown. `question` takes answers to the model's questions, and `tell`
 * sends a message to the panel.
 */
export function openVoiceControl(
  host: Host,
  models: ModelCommands,
  chats: CurrentChat<Chat>,
  question: Pick<VoiceChat, "answer">,
  tell: (message: VoiceMessage) => void,
): VoiceControl {
  const { configuration, context, environment, run, stack } = host;
  const { secrets } = context;
  const sources = () => ({
    settings: configuration.settings,
    chosen: models.chosen,
    secrets,
    environment,
  });
  const setKey = async () => {
    const connection = voiceConnection(sources());
    if (connection) await setApiKey(connection, secrets);
  };
  const chat = shownChat(host, chats, question);
  const voice = stack.add(new VoiceControl(host, chat, createChosenVoice(sources), setKey, tell));
  stack.add(configuration.onDidChange(() => voice.settingsChanged()));
  // Silence the answer of a chat that is no longer shown.
  stack.add(chats.onShown(() => run("Hushing", voice.act("hush"))));
  return voice;
}

function shownChat(
  { run }: Host,
  chats: CurrentChat<Chat>,
  question: Pick<VoiceChat, "answer">,
): VoiceChat {
  return {
    get busy() {
      return chats.chat.busy;
    },
    send: (text) => run("Sending", chats.chat.send(text, [], true)),
    stop: () => chats.chat.stop(),
    answer: (callId, values) => question.answer(callId, values),
    speechEnded: (turnId, speech) => chats.chat.speechEnded(turnId, speech),
    onEvent: (listener) => chats.follow((chat) => chat.onEvent(listener)),
    onBusy: (listener) => chats.follow((chat) => chat.onBusy(listener)),
  };
}
