import type { Chat } from "../../agent/chat/chat.ts";
import type { App } from "../app.ts";
import type { Host } from "../host.ts";
import type { ConnectPanel } from "./chatView.ts";
import { MessageInbox } from "./messageInbox.ts";
import type { PanelView } from "./openPanelView.ts";
import { createPanelHandlers, startMessage } from "./panelHandlers.ts";
import { receivePanelMessage } from "./panelMessages.ts";
import type { PanelRequests } from "./panelRequests.ts";

/** Makes the panel's messages act on `app`. */
export function openPanel(
  { logger }: Host,
  app: App,
  requests: PanelRequests,
  { bridge, indicators }: PanelView,
): ConnectPanel {
  const inbox = new MessageInbox<Chat>(
    app.chats,
    (message, chat) => startMessage(app, chat, message),
    bridge,
    (error) => logger.error(`Sending failed: ${String(error)}`),
  );
  return async (post, showBadge) => {
    bridge.connect(post);
    indicators.connect(showBadge);
    const handlers = createPanelHandlers(app, inbox, requests);
    const receive = (message: unknown) => receivePanelMessage(message, handlers, logger);
    return { receive, ping: () => bridge.ping(), hide: () => bridge.pause() };
  };
}
