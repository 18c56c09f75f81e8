import { type Disposable, disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import type { EventLog } from "../../ports/eventLog.ts";
import { Lease, leaseFiles } from "../storage/lease.ts";
import {
  type ChatSources,
  type ClaimedChat,
  claimChat,
  claimLastChat,
  claimNewChat,
  endChat,
  type OpenChat,
  takeAtStart,
} from "./claimedChat.ts";
import { rememberChat, rememberUnseen, unseenChats } from "./lastChats.ts";

/** A chat beside the one in the side bar. It stays open until this is disposed of. */
export interface ChatTab<Chat> extends Disposable {
  readonly chat: Chat;
  /** The user works in it, or no longer does. */
  toFront(isFront: boolean): void;
}

interface HeldTab {
  readonly chatId: string;
  /** Another window has its chat. */
  lost(): void;
}

/**
 * The chats that this window has open. The side bar shows one of them, at first the workspace's
 * last one; tabs of the editor show others. One that nobody shows stays open while its turn runs,
 * and then until the user has seen it. A chat is open in one window at a time; a window that finds
 * its last one in use starts with a new one, and can have it.
 */
export class OpenChats<Chat extends OpenChat> {
  private readonly sources: ChatSources<Chat>;
  private readonly queue = new SerialQueue();
  private readonly live = new Map<string, ClaimedChat<Chat>>();
  private readonly tabs = new Set<HeldTab>();
  private shownId: string;
  private front: HeldTab | null = null;
  /** The chat that {@link onFront} told of last. */
  private told: Chat;
  private readonly shows = new Emitter<Chat>();
  private readonly fronts = new Emitter<Chat>();
  private readonly changes = new Emitter<void>();
  /** All that were open here. */
  private readonly had = new Set<string>();
  private readonly openings = new Emitter<string>();
  /**
   * The chat that New Chat left last, and the new one: who writes in the former has not seen the
   * latter yet.
   */
  private left: { readonly from: string; readonly to: string } | null = null;
  /** Settles once all chats are closed for good; null before. */
  private ending: Promise<void> | null = null;

  private constructor(sources: ChatSources<Chat>, first: ClaimedChat<Chat>) {
    this.sources = sources;
    this.shownId = first.chat.chatId;
    this.told = first.chat;
    this.onChange(() => this.rememberUnseen());
    this.add(first);
  }

  /**
   * Opens the last shown chat that no other window has, or the newest stored one if none is
   * remembered, else a new one.
   */
  static async open<Chat extends OpenChat>(sources: ChatSources<Chat>): Promise<OpenChats<Chat>> {
    const opened = await claimLastChat(sources);
    await rememberChat(sources.memory, opened.chat.chatId, null);
    const unseen = unseenChats(sources.memory);
    const chats = new OpenChats(sources, opened);
    void chats.reopen(unseen);
    return chats;
  }

  /** The chat that the user works in: that of the tab in front, else the one in the side bar. */
  get chat(): Chat {
    return (this.front && this.find(this.front.chatId)) ?? this.shown;
  }

  /** The chat in the side bar. */
  get shown(): Chat {
    return this.find(this.shownId) ?? this.told;
  }

  /** All that are open, in the order in which they were opened. */
  get all(): readonly Chat[] {
    return [...this.live.values()].map(({ chat }) => chat);
  }

  /** True once the window ends, and no other chat is opened. */
  get isEnding(): boolean {
    return this.ending !== null;
  }

  /** The open chat of that id; null for one that is not open here. */
  find(chatId: string | undefined): Chat | null {
    return (chatId !== undefined && this.live.get(chatId)?.chat) || null;
  }

  /** The open chat with that turn. */
  ofTurn(turnId: string): Chat | null {
    return this.all.find(({ tree }) => tree.turns.has(turnId)) ?? null;
  }

  /** Whether the side bar or a tab shows it. */
  isVisible(chatId: string): boolean {
    return chatId === this.shownId || [...this.tabs].some((tab) => tab.chatId === chatId);
  }

  /** Calls `listener` whenever another chat is shown in the side bar. */
  onShown(listener: (chat: Chat) => void): Disposable {
    return this.shows.on(listener);
  }

  /** Calls `listener` whenever the user works in another chat. */
  onFront(listener: (chat: Chat) => void): Disposable {
    return this.fronts.on(listener);
  }

  /** Calls `listener` when a chat was opened or closed, or is seen or no longer seen. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Listens to the chat that the user works in, whichever it is. */
  follow(listen: (chat: Chat) => Disposable): Disposable {
    let listening = listen(this.chat);
    const moved = this.onFront((chat) => {
      listening.dispose();
      listening = listen(chat);
    });
    return disposable(() => {
      moved.dispose();
      listening.dispose();
    });
  }

  /** Listens to every open chat. */
  each(listen: (chat: Chat) => Disposable): Disposable {
    const listening = new Map<Chat, Disposable>();
    const update = () => {
      const open = new Set(this.all);
      for (const [chat, ears] of listening) {
        if (open.has(chat)) continue;
        listening.delete(chat);
        ears.dispose();
      }
      for (const chat of open) if (!listening.has(chat)) listening.set(chat, listen(chat));
    };
    update();
    const changed = this.onChange(update);
    return disposable(() => {
      changed.dispose();
      for (const ears of listening.values()) ears.dispose();
    });
  }

  /**
   * Calls `listener` with the id of a new chat as soon as it is asked for. {@link onShown} follows,
   * also where it could not be opened.
   */
  onOpening(listener: (chatId: string) => void): Disposable {
    return this.openings.on(listener);
  }

  /** The side bar has shown that chat to the user. */
  seen(chatId: string): void {
    if (this.left?.to === chatId) this.left = null;
  }

  /**
   * Shows a new chat in the side bar, under `given` if set. Without `given` an empty chat stays.
   */
  startNew(given?: string): Promise<Chat> {
    const chatId = given ?? newId("chat");
    if (given !== undefined || !this.isEmpty) this.openings.fire(chatId);
    return this.queue.run(async () => {
      const chat = this.shown;
      try {
        if (chat.chatId === chatId || (given === undefined && this.isEmpty)) this.shows.fire(chat);
        else {
          const next =
            (await this.acquire(chatId, Lease.take)) ??
            this.add(await claimNewChat(this.sources)).chat;
          this.left = { from: chat.chatId, to: next.chatId };
          await this.replace(next);
        }
      } catch (error) {
        this.shows.fire(this.shown);
        throw error;
      }
      return this.shown;
    });
  }

  /**
   * Shows that chat in the side bar. A window that has it lets it go; false, with no effect, while
   * a turn runs there.
   */
  show(chatId: string): Promise<boolean> {
    return this.queue.run(async () => {
      if (chatId === this.shownId) return true;
      const next = await this.acquire(chatId, Lease.takeOver);
      if (!next) return false;
      this.left = null;
      await this.replace(next);
      return true;
    });
  }

  /**
   * Opens that chat for a tab; null when another window has it. `lost` is called where another
   * window takes it later.
   */
  hold(chatId: string, lost: () => void): Promise<ChatTab<Chat> | null> {
    return this.queue.run(async () => {
      const chat = this.ending ? null : await this.acquire(chatId, Lease.takeOver);
      if (!chat) return null;
      const tab = { chatId, lost };
      this.tabs.add(tab);
      this.changes.fire();
      return {
        chat,
        toFront: (isFront) => {
          if (isFront ? this.tabs.has(tab) : this.front === tab) this.front = isFront ? tab : null;
          this.tellFront();
        },
        ...disposable(() => {
          this.tabs.delete(tab);
          if (this.front === tab) this.front = null;
          this.tellFront();
          this.changes.fire();
          void this.queue.run(() => this.leave(chatId));
        }),
      };
    });
  }

  /**
   * Runs `action` with the chat that a message names, which is opened first; false, without running
   * it, when another window has it. Who had not seen New Chat yet means the new one. Other chats
   * are shown once `action` is over.
   */
  withChat(chatId: string, action: (chat: Chat) => Promise<void>): Promise<boolean> {
    return this.queue.run(async () => {
      const isUnseen = this.left?.from === chatId && this.left.to === this.shownId;
      const isInTab = [...this.tabs].some((tab) => tab.chatId === chatId);
      const meant = isUnseen && !isInTab ? this.shownId : chatId;
      const chat = this.ending ? null : await this.acquire(meant, Lease.take);
      if (!chat) return false;
      try {
        await action(chat);
      } finally {
        await this.leave(meant);
      }
      return true;
    });
  }

  /**
   * Runs `action` on the log of a chat that is not open here while no window can open it; false,
   * with no effect, when another window has it.
   */
  withLog(chatId: string, action: (log: EventLog) => Promise<void>): Promise<boolean> {
    return this.queue.run(async () => {
      const { storage } = this.sources;
      if (this.live.has(chatId)) return false;
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

  /** Stops a chat that the side bar does not show, and closes it with its tabs. */
  close(chatId: string): Promise<void> {
    return this.queue.run(async () => {
      if (chatId !== this.shownId) await this.end(chatId);
    });
  }

  /** Stops the running turns, writes pending events, and releases the chats. */
  dispose(): Promise<void> {
    this.ending ??= this.queue.run(async () => {
      await Promise.all([...this.live.values()].map(endChat));
    });
    return this.ending;
  }

  /** Opens what nobody had seen as the last host ended; what is no longer on record is forgotten. */
  private async reopen(unseen: readonly string[]): Promise<void> {
    const stored = new Set((await this.sources.storage.list()).map(({ name }) => name));
    for (const chatId of unseen) {
      this.had.add(chatId);
      await this.queue.run(async () => {
        if (stored.has(chatId) && !this.ending) await this.acquire(chatId, takeAtStart);
      });
    }
    this.rememberUnseen();
  }

  private rememberUnseen(): void {
    if (this.ending) return;
    for (const chatId of this.live.keys()) this.had.add(chatId);
    const unseen = [...this.live.keys()].filter((chatId) => !this.isVisible(chatId));
    // Where it cannot be remembered, the marks end with the window.
    rememberUnseen(this.sources.memory, this.had, unseen).catch(() => undefined);
  }

  private get isEmpty(): boolean {
    return this.shown.tree.turns.size === 0 && !this.shown.busy;
  }

  private async acquire(chatId: string, take: typeof Lease.take): Promise<Chat | null> {
    const known = this.find(chatId);
    if (known) return known;
    const opened = await claimChat(this.sources, chatId, take);
    return opened && this.add(opened).chat;
  }

  private add(opened: ClaimedChat<Chat>): ClaimedChat<Chat> {
    this.live.set(opened.chat.chatId, opened);
    this.watchLease(opened);
    this.changes.fire();
    return opened;
  }

  private async replace(next: Chat): Promise<void> {
    const last = this.shownId;
    await rememberChat(this.sources.memory, next.chatId, last);
    this.shownId = next.chatId;
    this.shows.fire(next);
    this.tellFront();
    this.changes.fire();
    await this.leave(last);
  }

  private tellFront(): void {
    const { chat } = this;
    if (chat === this.told) return;
    this.told = chat;
    this.fronts.fire(chat);
  }

  /** Closes a chat that nobody shows and in which nothing runs. */
  private async leave(chatId: string): Promise<void> {
    const isIdle = this.find(chatId)?.busy === false;
    if (isIdle && !this.isVisible(chatId)) await this.end(chatId);
  }

  private async end(chatId: string): Promise<void> {
    const closed = this.live.get(chatId);
    if (!closed) return;
    this.live.delete(chatId);
    for (const tab of [...this.tabs]) if (tab.chatId === chatId) tab.lost();
    this.tellFront();
    this.changes.fire();
    await endChat(closed);
  }

  /** Lets another window have an idle chat; in the side bar a new one takes its place. */
  private watchLease(opened: ClaimedChat<Chat>): void {
    const { chat, lease } = opened;
    lease.onAsked(async () => {
      // A window that closes lets it go with its last events.
      await this.ending;
      await chat.flush();
      return !chat.busy;
    });
    lease.onLost(
      () =>
        void this.queue.run(async () => {
          if (this.live.get(chat.chatId) !== opened || this.ending) return;
          if (this.isVisible(chat.chatId)) this.sources.taken(chat.chatId);
          if (this.shownId === chat.chatId) {
            const next = this.add(await claimNewChat(this.sources)).chat;
            this.left = { from: chat.chatId, to: next.chatId };
            await rememberChat(this.sources.memory, next.chatId, null);
            this.shownId = next.chatId;
            this.shows.fire(next);
          }
          await this.end(chat.chatId);
        }),
    );
  }
}
