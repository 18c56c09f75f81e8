import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { newId } from "../base/ids.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import type { EventLog, EventLogStorage } from "../ports/eventLog.ts";
import { ChatLease, type LeaseClock, machineClock } from "./chatLease.ts";

/** Where the workspace remembers which chats its windows showed last; the editor's Memento fits. */
export interface ChatMemory {
  get(key: string): unknown;
  update(key: string, value: readonly string[]): PromiseLike<void>;
}

/** What the choice of a chat needs to know about one. */
export interface OpenChat {
  readonly chatId: string;
  readonly tree: { readonly turns: ReadonlyMap<string, unknown> };
  readonly busy: boolean;
  /** Names the chat, on record. */
  rename(title: string): Promise<void>;
  /** Settles when all of it is on record. */
  flush(): Promise<void>;
  dispose(): Promise<void>;
}

/** What opens chats. */
export interface ChatSources<Chat extends OpenChat> {
  readonly storage: EventLogStorage;
  readonly memory: ChatMemory;
  /** What tells this window from others, and stays when its extension host restarts. */
  readonly window: string;
  readonly clock?: LeaseClock;
  /** Opens a chat over its log; `guard` makes any log of it take nothing any more once the chat is another window's. */
  open(chatId: string, log: EventLog, guard: (log: EventLog) => EventLog): Promise<Chat>;
}

const LAST_CHATS = "graft.lastChat";
/** How many windows' chats a workspace remembers. */
const MAX_REMEMBERED = 5;

interface Shown<Chat> {
  readonly chat: Chat;
  readonly lease: ChatLease;
}

/**
 * The one chat that the panel shows: the workspace's last one at first, a new one on request. A chat is open in one window at a time:
 * a window that finds it in use begins with a new one, and takes up its own again after a reload.
 */
export class CurrentChat<Chat extends OpenChat> {
  private readonly sources: ChatSources<Chat>;
  private readonly queue = new SerialQueue();
  private readonly changes = new Emitter<Chat>();
  private shown: Shown<Chat>;
  private wanted: string | null;
  private disposed = false;

  private constructor(sources: ChatSources<Chat>, shown: Shown<Chat>, wanted: string | null) {
    this.sources = sources;
    this.shown = shown;
    this.wanted = wanted;
    this.follow(shown);
  }

  /** Opens a chat that this workspace showed last and no other window shows, else a new one; in a workspace that remembers none, the newest on record. */
  static async open<Chat extends OpenChat>(sources: ChatSources<Chat>): Promise<CurrentChat<Chat>> {
    const remembered = rememberedChats(sources.memory);
    const candidates = remembered.length > 0 ? remembered : (await sources.storage.list()).slice(-1).map(({ name }) => name);
    for (const chatId of candidates) {
      const shown = await openChat(sources, chatId, ahead(chatId));
      if (shown) return new CurrentChat(sources, shown, null);
    }
    const [wanted = null] = candidates;
    return new CurrentChat(sources, await openNewChat(sources, wanted === null ? ahead : behind), wanted);
  }

  get chat(): Chat {
    return this.shown.chat;
  }

  /** True while a new chat is shown because the last one is open in another window. */
  get elsewhere(): boolean {
    return this.wanted !== null;
  }

  /** Calls `listener` whenever another chat is shown. */
  onShown(listener: (chat: Chat) => void): Disposable {
    return this.changes.on(listener);
  }

  /** Ends the shown chat, stopping its turn, and shows a new one; an empty chat is as good as new and stays. */
  startNew(): Promise<Chat> {
    return this.queue.run(async () => {
      const { chat } = this.shown;
      this.wanted = null;
      if (chat.tree.turns.size === 0 && !chat.busy) this.changes.fire(chat);
      else await this.replace(await openNewChat(this.sources, (id) => ahead(id, chat.chatId)));
      return this.chat;
    });
  }

  /** Ends the shown chat, stopping its turn, and shows that one; false, and nothing happens, where another window has it. */
  show(chatId: string): Promise<boolean> {
    return this.queue.run(async () => {
      const { chat } = this.shown;
      if (chat.chatId === chatId) return true;
      const shown = await openChat(this.sources, chatId, ahead(chatId, chat.chatId));
      if (!shown) return false;
      this.wanted = null;
      await this.replace(shown);
      return true;
    });
  }

  /** Does something to the log of a chat that is not shown while no window can open it; false, and nothing happens, where another window has it. */
  withLog(chatId: string, action: (log: EventLog) => Promise<void>): Promise<boolean> {
    return this.queue.run(async () => {
      const { storage, window, clock = machineClock } = this.sources;
      if (this.shown.chat.chatId === chatId) return false;
      const lease = await ChatLease.take(storage.claim(chatId), window, clock);
      if (!lease) return false;
      try {
        await action(lease.guard(storage.open(chatId)));
        return true;
      } finally {
        await lease.release();
      }
    });
  }

  /** Shows the chat that another window had, if it has it no longer; false when it still does. */
  openElsewhere(): Promise<boolean> {
    return this.queue.run(async () => {
      const { wanted, sources } = this;
      if (wanted === null) return true;
      const shown = await openChat(sources, wanted, ahead(wanted, this.chat.tree.turns.size === 0 ? this.chat.chatId : null));
      if (!shown) return false;
      this.wanted = null;
      await this.replace(shown);
      return true;
    });
  }

  /** Stops what runs, writes what is unwritten, and lets other windows have the chat. */
  dispose(): Promise<void> {
    return this.queue.run(async () => {
      this.disposed = true;
      await end(this.shown);
    });
  }

  private async replace(next: Shown<Chat>): Promise<void> {
    const last = this.shown;
    this.shown = next;
    this.follow(next);
    this.changes.fire(next.chat);
    await end(last);
  }

  /** Another window took the chat while this one slept: a new one is shown here. */
  private follow(shown: Shown<Chat>): void {
    shown.lease.onLost(
      () =>
        void this.queue.run(async () => {
          if (this.shown !== shown || this.disposed) return;
          this.wanted = shown.chat.chatId;
          await this.replace(await openNewChat(this.sources, behind));
        }),
    );
  }
}

async function end({ chat, lease }: Shown<OpenChat>): Promise<void> {
  await chat.dispose();
  await lease.release();
}

/** Makes the chats that the workspace is to remember from those it remembers. */
type Remember = (remembered: readonly string[]) => readonly string[];

/** The chat comes first, in the place of `replaced`. */
function ahead(chatId: string, replaced: string | null = null): Remember {
  return (remembered) => [chatId, ...remembered.filter((id) => id !== chatId && id !== replaced)];
}

/** The chat comes last: it is a second window's, and the first window's comes first. */
function behind(chatId: string): Remember {
  return (remembered) => [...remembered.slice(0, MAX_REMEMBERED - 1), chatId];
}

/** Opens a chat and remembers it; null where another window has it. */
async function openChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
  chatId: string,
  remember: Remember,
): Promise<Shown<Chat> | null> {
  const { storage, memory, window, clock = machineClock } = sources;
  const lease = await ChatLease.take(storage.claim(chatId), window, clock);
  if (!lease) return null;
  const guard = (log: EventLog) => lease.guard(log);
  try {
    const chat = await sources.open(chatId, guard(storage.open(chatId)), guard);
    await memory.update(LAST_CHATS, remember(rememberedChats(memory)).slice(0, MAX_REMEMBERED));
    return { chat, lease };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

async function openNewChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
  remember: (chatId: string) => Remember,
): Promise<Shown<Chat>> {
  for (;;) {
    const chatId = newId("chat");
    const shown = await openChat(sources, chatId, remember(chatId));
    if (shown) return shown;
  }
}

function rememberedChats(memory: ChatMemory): readonly string[] {
  const value = memory.get(LAST_CHATS);
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.flatMap((name) => (typeof name === "string" && /^[A-Za-z0-9-]+$/.test(name) ? [name] : []));
}
