import type { Chat } from "../../agent/chat/chat.ts";
import type { PanelApp } from "../app.ts";
import type { ChatContext } from "../context/chatContext.ts";
import type { Host } from "../host.ts";
import type { ConnectPanel } from "./chatView.ts";
import { MessageInbox } from "./messageInbox.ts";
import type { PanelView } from "./openPanelView.ts";
import { createPanelHandlers, startMessage } from "./panelHandlers.ts";
import { receivePanelMessage } from "./panelMessages.ts";
import type { PanelRequests } from "./panelRequests.ts";

/** Connects a panel whose view and composer these are. */
export type OpenPanel = (view: PanelView, context: ChatContext) => ConnectPanel;

/** Makes the messages of panels act on `app`. */
export function openPanel({ logger }: Host, app: PanelApp, requests: PanelRequests): OpenPanel {
  const inbox = new MessageInbox<Chat>(
    app.chats,
    (message, chat) => startMessage(app, chat, message),
    (error) => logger.error(`Sending failed: ${String(error)}`),
  );
  return ({ bridge }, context) =>
    async (post) => {
      bridge.connect(post);
      const handlers = createPanelHandlers(app, { bridge, context }, inbox, requests);
      const seen = (chatId: string) => app.chats.seen(chatId);
      const receive = (message: unknown) => receivePanelMessage(message, handlers, logger, seen);
      return { receive, ping: () => bridge.ping(), hide: () => bridge.pause() };
    };
}
