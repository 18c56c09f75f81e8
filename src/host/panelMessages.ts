import type { Logger } from "../ports/logger.ts";
import { type PanelMessage, panelMessageSchema } from "../protocol/messages.ts";

/** What the panel can ask for: one function for each type of message. */
export type PanelHandlers = {
  readonly [Type in PanelMessage["type"]]: (message: Extract<PanelMessage, { type: Type }>) => void | Promise<void>;
};

/** Checks what came from the panel and hands it on. Anything that is not a known message is logged by its type and dropped; never throws. */
export function receivePanelMessage(raw: unknown, handlers: PanelHandlers, logger: Logger): void {
  const parsed = panelMessageSchema.safeParse(raw);
  if (!parsed.success) {
    logger.warn("The panel sent a message that is not part of the protocol; it was dropped.");
    return;
  }
  dispatch(parsed.data, handlers).catch((error: unknown) =>
    logger.error(`A request of the panel failed (${parsed.data.type}): ${String(error)}`),
  );
}

async function dispatch(message: PanelMessage, handlers: PanelHandlers): Promise<void> {
  switch (message.type) {
    case "ready":
      return handlers.ready(message);
    case "send":
      return handlers.send(message);
    case "unqueue":
      return handlers.unqueue(message);
    case "send-queued":
      return handlers["send-queued"](message);
    case "resend":
      return handlers.resend(message);
    case "show-branch":
      return handlers["show-branch"](message);
    case "stop":
      return handlers.stop(message);
    case "new-chat":
      return handlers["new-chat"](message);
    case "open-elsewhere":
      return handlers["open-elsewhere"](message);
    case "retry":
      return handlers.retry(message);
    case "open-file":
      return handlers["open-file"](message);
    case "show-proposal":
      return handlers["show-proposal"](message);
    case "accept-file":
      return handlers["accept-file"](message);
    case "reject-file":
      return handlers["reject-file"](message);
    case "restore-files":
      return handlers["restore-files"](message);
    case "propose-anyway":
      return handlers["propose-anyway"](message);
    case "answer":
      return handlers.answer(message);
    case "approve":
      return handlers.approve(message);
    case "start-edit-mode":
      return handlers["start-edit-mode"](message);
    case "set-api-key":
      return handlers["set-api-key"](message);
    case "open-settings":
      return handlers["open-settings"](message);
    case "manage-trust":
      return handlers["manage-trust"](message);
    case "copy":
      return handlers.copy(message);
    case "open-link":
      return handlers["open-link"](message);
  }
}

/** The address of a link that may be followed, or null: http and https only, without a user name that could disguise the host. */
export function followableLink(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, username, password, href } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "" ? href : null;
}
