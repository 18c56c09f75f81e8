import { type Disposable, disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import type { Memory } from "../../ports/memory.ts";
import { Lease, type LeaseOptions, leaseFiles } from "../storage/lease.ts";

/** What {@link CurrentChat} needs of a chat. */
export interface OpenChat {
  readonly chatId: string;
  readonly tree: { readonly turns: ReadonlyMap<string, unknown> };
  readonly busy: boolean;
  /** Stores a title. */
  rename(title: string): Promise<void>;
  /** Settles when everything is stored. */
  flush(): Promise<void>;
  dispose(): Promise<void>;
}

/** How chats are opened. */
export interface ChatSources<Chat extends OpenChat> {
  readonly storage: EventLogStorage;
  readonly memory: Memory;
  readonly lease: LeaseOptions;
  /**
   * Opens a chat over its log. `guard` makes a log refuse writes once another window has the chat.
   */
  open(chatId: string, log: EventLog, guard: (log: EventLog) => EventLog): Promise<Chat>;
  /** Another window is asked for the chat that is to be shown, until `answered` settles. */
  asking(answered: Promise<unknown>): void;
  /** Another window has that chat, so a new one is shown in its place. */
  taken(chatId: string): void;
}

const LAST_CHATS = "graft.lastChat";
/** How many windows' chats a workspace remembers. */
const MAX_REMEMBERED = 5;

interface Shown<Chat> {
  readonly chat: Chat;
  readonly lease: Lease;
}

/**
 * The chat that the panel shows: at first the workspace's last one. A chat is open in one window at
 * a time; a window that finds it in use starts with a new one, and can have it.
 */
export class CurrentChat<Chat extends OpenChat> {
  private readonly sources: ChatSources<Chat>;
  private readonly queue = new SerialQueue();
  private readonly changes = new Emitter<Chat>();
  private shown: Shown<Chat>;
  private readonly openings = new Emitter<string>();
  /**
   * The chat that New Chat left last, and the new one: who writes in the former has not seen the
   * latter yet.
   */
  private left: { readonly from: string; readonly to: string } | null = null;
  /** Settles once the shown chat is closed for good; null before. */
  private ending: Promise<void> | null = null;

  private constructor(sources: ChatSources<Chat>, shown: Shown<Chat>) {
    this.sources = sources;
    this.shown = shown;
    this.watchLease(shown);
  }

  /**
   * Opens the last shown chat that no other window has, or the newest stored one if none is
   * remembered, else a new one.
   */
  static async open<Chat extends OpenChat>(sources: ChatSources<Chat>): Promise<CurrentChat<Chat>> {
    const remembered = rememberedChats(sources.memory);
    const candidates =
      remembered.length > 0
        ? remembered
        : (await sources.storage.list()).slice(-1).map(({ name }) => name);
    for (const chatId of candidates) {
      const shown = await openChat(sources, chatId, null, Lease.take);
      if (shown) return new CurrentChat(sources, shown);
    }
    const [first] = candidates;
    if (first !== undefined) {
      // The host of a window that was reloaded or closed may not have ended yet.
      const asked = openChat(sources, first, null, takeAtStart);
      sources.asking(asked);
      const shown = await asked;
      if (shown) return new CurrentChat(sources, shown);
      sources.taken(first);
    }
    return new CurrentChat(sources, await openNewChat(sources, null));
  }

  get chat(): Chat {
    return this.shown.chat;
  }

  /** Calls `listener` whenever another chat is shown. */
  onShown(listener: (chat: Chat) => void): Disposable {
    return this.changes.on(listener);
  }

  /** Listens to the chat that is shown, whichever it is, until the result is disposed of. */
  follow(listen: (chat: Chat) => Disposable): Disposable {
    let listening = listen(this.chat);
    const shown = this.onShown((chat) => {
      listening.dispose();
      listening = listen(chat);
    });
    return disposable(() => {
      shown.dispose();
      listening.dispose();
    });
  }

  /**
   * Calls `listener` with the id of a new chat as soon as it is asked for. {@link onShown} follows,
   * also where it could not be opened.
   */
  onOpening(listener: (chatId: string) => void): Disposable {
    return this.openings.on(listener);
  }

  /**
   * Shows a new chat, under `given` if set, and closes the shown one, stopping its turn. Without
   * `given` an empty chat stays.
   */
  startNew(given?: string): Promise<Chat> {
    const chatId = given ?? newId("chat");
    if (given !== undefined || !this.isEmpty) this.openings.fire(chatId);
    return this.queue.run(async () => {
      const { chat } = this.shown;
      try {
        if (chat.chatId === chatId || (given === undefined && this.isEmpty))
          this.changes.fire(chat);
        else {
          const next =
            (await openChat(this.sources, chatId, chat.chatId, Lease.take)) ??
            (await openNewChat(this.sources, chat.chatId));
          this.left = { from: chat.chatId, to: next.chat.chatId };
          await this.replace(next);
        }
      } catch (error) {
        this.changes.fire(this.chat);
        throw error;
      }
      return this.chat;
    });
  }

  /**
   * Shows that chat and closes the shown one, stopping its turn. A window that has it lets it go;
   * false, with no effect, while a turn runs there.
   */
  show(chatId: string): Promise<boolean> {
    return this.queue.run(() => this.open(chatId, Lease.takeOver));
  }

  /**
   * Runs `action` with the chat that a message names, which is shown first; false, without running
   * it, when another window has it. Who had not seen New Chat yet means the new one. Other chats
   * are shown once `action` is over.
   */
  withChat(chatId: string, action: (chat: Chat) => Promise<void>): Promise<boolean> {
    return this.queue.run(async () => {
      const meant =
        this.left?.from === chatId && this.left.to === this.chat.chatId ? this.left.to : chatId;
      if (this.ending || !(await this.open(meant, Lease.take))) return false;
      await action(this.chat);
      return true;
    });
  }

  /**
   * Runs `action` on the log of a chat that is not shown while no window can open it; false, with
   * no effect, when another window has it.
   */
  withLog(chatId: string, action: (log: EventLog) => Promise<void>): Promise<boolean> {
    return this.queue.run(async () => {
      const { storage } = this.sources;
      if (this.shown.chat.chatId === chatId) return false;
      const lease = await Lease.take(leaseFiles(storage, chatId), this.sources.lease);
      if (!lease) return false;
      try {
        await action(lease.guard(storage.open(chatId)));
        return true;
      } finally {
        await lease.release();
      }
    });
  }

  /** Stops the running turn, writes pending events, and releases the chat. */
  dispose(): Promise<void> {
    this.ending ??= this.queue.run(() => end(this.shown));
    return this.ending;
  }

  private get isEmpty(): boolean {
    return this.chat.tree.turns.size === 0 && !this.chat.busy;
  }

  private async open(chatId: string, take: typeof Lease.take): Promise<boolean> {
    const { chat } = this.shown;
    if (chat.chatId === chatId) return true;
    const next = await openChat(this.sources, chatId, chat.chatId, take);
    if (!next) return false;
    await this.replace(next);
    return true;
  }

  private async replace(next: Shown<Chat>): Promise<void> {
    const last = this.shown;
    this.shown = next;
    this.watchLease(next);
    this.changes.fire(next.chat);
    await end(last);
  }

  /** Lets another window have an idle chat, and then shows a new one. */
  private watchLease(shown: Shown<Chat>): void {
    const { chat } = shown;
    shown.lease.onAsked(async () => {
      // A window that closes lets it go with its last events.
      await this.ending;
      await chat.flush();
      return !chat.busy;
    });
    shown.lease.onLost(
      () =>
        void this.queue.run(async () => {
          if (this.shown !== shown || this.ending) return;
          this.sources.taken(chat.chatId);
          const next = await openNewChat(this.sources, null);
          this.left = { from: chat.chatId, to: next.chat.chatId };
          await this.replace(next);
        }),
    );
  }
}

async function end({ chat, lease }: Shown<OpenChat>): Promise<void> {
  await chat.dispose();
  await lease.release();
}

/**
 * Remembers a chat in the place of the one it `replaced`, else behind those of the windows that
 * were there before.
 */
async function remember(memory: Memory, chatId: string, replaced: string | null): Promise<void> {
  const known = rememberedChats(memory);
  if (replaced === null && known.includes(chatId)) return;
  const others = known.filter((id) => id !== chatId);
  const chats = others.some((id) => id === replaced)
    ? others.map((id) => (id === replaced ? chatId : id))
    : [...others.slice(0, MAX_REMEMBERED - 1), chatId];
  await memory.update(LAST_CHATS, chats);
}

/**
 * Opens a chat and remembers it in the place of the one it `replaced`; null when another window has
 * it.
 */
async function openChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
  chatId: string,
  replaced: string | null,
  take: typeof Lease.take,
): Promise<Shown<Chat> | null> {
  const { storage, memory } = sources;
  const lease = await take(leaseFiles(storage, chatId), sources.lease);
  if (!lease) return null;
  const guard = (log: EventLog) => lease.guard(log);
  try {
    const chat = await sources.open(chatId, guard(storage.open(chatId)), guard);
    await remember(memory, chatId, replaced);
    return { chat, lease };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

const takeAtStart: typeof Lease.take = (files, options) => Lease.takeOver(files, options, "start");

async function openNewChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
  replaced: string | null,
): Promise<Shown<Chat>> {
  const opened = await openChat(sources, newId("chat"), replaced, Lease.take);
  return opened ?? openNewChat(sources, replaced);
}

function rememberedChats(memory: Memory): readonly string[] {
  const value = memory.get(LAST_CHATS);
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.flatMap((name) =>
    typeof name === "string" && /^[A-Za-z0-9-]+$/.test(name) ? [name] : [],
  );
}
