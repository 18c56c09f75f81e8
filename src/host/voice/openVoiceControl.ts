import * as vscode from "vscode";
import type { Chat } from "../../agent/chat/chat.ts";
import type { OpenChats } from "../../review/chats/openChats.ts";
import type { VoiceChat } from "../../voice/voiceSession.ts";
import type { Host } from "../host.ts";
import type { ModelCommands } from "../models/modelCommands.ts";
import { setApiKey } from "../settings/apiKeys.ts";
import { createChosenVoice, voiceConnection } from "./chosenVoice.ts";
import { type TellVoice, VoiceControl } from "./voiceControl.ts";

/** The key in the workspace's state of what was said when the window closed. */
const KEPT_WORDS = "graft.voice.words";

/** What comes of the user's words. */
type SpokenWords = Pick<VoiceChat, "began" | "send" | "draft">;

/**
 * Voice for the chat that the user works in. `question` takes answers to the model's questions,
 * `tell` sends a message to the panels, and `compose` puts words into the composer of a chat.
 */
export function openVoiceControl(
  host: Host,
  models: ModelCommands,
  chats: OpenChats<Chat>,
  question: Pick<VoiceChat, "answer">,
  tell: TellVoice,
  compose: (text: string, chatId: string) => void,
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
  const state = context.workspaceState;
  const keep = async (words: string | undefined) => state.update(KEPT_WORDS, words);
  let { chatId } = chats.chat;
  const draft = (text: string) => {
    // The panel of a window that closes takes nothing.
    if (voice.isEnding) voice.kept = keep(`${state.get(KEPT_WORDS, "")}\n${text}`.trim());
    else compose(text, chatId);
  };
  const words: SpokenWords = {
    began() {
      chatId = chats.chat.chatId;
    },
    send(text) {
      if (voice.isEnding) draft(text);
      else run("Sending", (chats.find(chatId) ?? chats.chat).send(text, [], true));
    },
    draft,
  };
  const chat = shownChat(chats, question, words);
  const voice = stack.add(new VoiceControl(host, chat, createChosenVoice(sources), setKey, tell));
  stack.add(configuration.onDidChange(() => voice.settingsChanged()));
  const kept = state.get(KEPT_WORDS, "");
  if (kept !== "") compose(kept, chatId);
  run("Forgetting", keep(undefined));
  // Silence the answer of a chat that the user has left.
  stack.add(chats.onFront(() => run("Hushing", voice.act("hush"))));
  return voice;
}

function shownChat(
  chats: OpenChats<Chat>,
  question: Pick<VoiceChat, "answer">,
  words: SpokenWords,
): VoiceChat {
  return {
    ...words,
    get busy() {
      return chats.chat.busy;
    },
    show: () => void vscode.commands.executeCommand("graft.chat.focus"),
    stop: () => chats.chat.stop(),
    answer: (callId, values) => question.answer(callId, values),
    speechEnded: (turnId, speech) => chats.chat.speechEnded(turnId, speech),
    onEvent: (listener) => chats.follow((chat) => chat.onEvent(listener)),
    onBusy: (listener) => chats.follow((chat) => chat.onBusy(listener)),
  };
}
