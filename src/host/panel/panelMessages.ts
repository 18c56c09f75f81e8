import type { Logger } from "../../ports/logger.ts";
import { type PanelMessage, panelMessageSchema } from "../../protocol/messages.ts";

type MessageOf = { readonly [Message in PanelMessage as Message["type"]]: Message };
type TypedMessage<Type extends keyof MessageOf> = {
  [Each in Type]: MessageOf[Each] & { readonly type: Each };
}[Type];

/** One handler for each type of message from the panel. */
export type PanelHandlers = {
  readonly [Type in keyof MessageOf]: (message: MessageOf[Type]) => unknown;
};

/**
 * Validates a message from the panel and calls its handler. Logs and drops invalid messages. Never
 * throws. `seen` gets the chat that the panel shows.
 */
export function receivePanelMessage(
  raw: unknown,
  handlers: PanelHandlers,
  logger: Logger,
  seen: (chatId: string) => void = () => undefined,
): void {
  const parsed = panelMessageSchema.safeParse(raw);
  if (!parsed.success) {
    logger.warn("Dropped a message from the panel that is not part of the protocol.");
    return;
  }
  if (parsed.data.chatId !== undefined) seen(parsed.data.chatId);
  handle(parsed.data, handlers).catch((error: unknown) =>
    logger.error(`Handling the panel's message ${parsed.data.type} failed: ${String(error)}`),
  );
}

async function handle<Type extends keyof MessageOf>(
  message: TypedMessage<Type>,
  handlers: PanelHandlers,
): Promise<void> {
  const handler: PanelHandlers[Type] = handlers[message.type];
  await handler(message);
}

/**
 * Returns the URL of a link that is safe to open, or null. It must be HTTP(S) without a user name,
 * which could disguise the host.
 */
export function followableLink(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, username, password, href } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === ""
    ? href
    : null;
}
