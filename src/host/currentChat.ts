import { newId } from "../base/ids.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import type { EventLog, EventLogStorage } from "../ports/eventLog.ts";

/** Where the workspace remembers which chat it showed last; the editor's Memento fits. */
export interface ChatMemory {
  get(key: string): unknown;
  update(key: string, value: string): PromiseLike<void>;
}

/** What the choice of a chat needs to know about one. */
export interface OpenChat {
  readonly tree: { readonly turns: ReadonlyMap<string, unknown> };
  readonly busy: boolean;
  dispose(): Promise<void>;
}

/** What opens chats. */
export interface ChatSources<Chat extends OpenChat> {
  readonly storage: EventLogStorage;
  readonly memory: ChatMemory;
  open(chatId: string, log: EventLog): Promise<Chat>;
}

const LAST_CHAT = "graft.lastChat";

/** The one chat that the panel shows: the workspace's last one at first, a new one on request. */
export class CurrentChat<Chat extends OpenChat> {
  private readonly sources: ChatSources<Chat>;
  private readonly queue = new SerialQueue();
  private shown: Chat;

  private constructor(sources: ChatSources<Chat>, chat: Chat) {
    this.sources = sources;
    this.shown = chat;
  }

  /** Opens the chat that this workspace showed last, else the newest on record, else a new one. */
  static async open<Chat extends OpenChat>(sources: ChatSources<Chat>): Promise<CurrentChat<Chat>> {
    const remembered = sources.memory.get(LAST_CHAT);
    const chatId =
      typeof remembered === "string" && isChatId(remembered) ? remembered : ((await sources.storage.names()).at(-1) ?? newId("chat"));
    return new CurrentChat(sources, await openChat(sources, chatId));
  }

  get chat(): Chat {
    return this.shown;
  }

  /** Ends the shown chat, stopping its turn, and shows a new one; an empty chat is as good as new and stays. */
  startNew(): Promise<Chat> {
    return this.queue.run(async () => {
      const last = this.shown;
      if (last.tree.turns.size === 0 && !last.busy) return last;
      this.shown = await openChat(this.sources, newId("chat"));
      await last.dispose();
      return this.shown;
    });
  }

  /** Stops what runs and writes what is unwritten. */
  dispose(): Promise<void> {
    return this.queue.run(() => this.shown.dispose());
  }
}

async function openChat<Chat extends OpenChat>(sources: ChatSources<Chat>, chatId: string): Promise<Chat> {
  const chat = await sources.open(chatId, sources.storage.open(chatId));
  await sources.memory.update(LAST_CHAT, chatId);
  return chat;
}

function isChatId(name: string): boolean {
  return /^[A-Za-z0-9-]+$/.test(name);
}
