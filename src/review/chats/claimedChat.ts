import { newId } from "../../base/ids.ts";
import type { EventLog, EventLogStorage } from "../../ports/eventLog.ts";
import type { Memory } from "../../ports/memory.ts";
import { Lease, type LeaseOptions, leaseFiles } from "../storage/lease.ts";
import { rememberedChats } from "./lastChats.ts";

/** What the window needs of a chat. */
export interface OpenChat {
  readonly chatId: string;
  readonly tree: { readonly turns: ReadonlyMap<string, unknown> };
  readonly busy: boolean;
  /** Shows the branch through a turn. */
  showBranch(turnId: string): void;
  /** Stores a title. */
  rename(title: string): Promise<void>;
  /** Settles once everything was given to the disk. */
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
  openChat(chatId: string, log: EventLog, guard: (log: EventLog) => EventLog): Promise<Chat>;
  /** Another window is asked for the chat that is to be shown, until `answered` settles. */
  asking(answered: Promise<unknown>): void;
  /** Another window has that chat, so a new one is shown in its place. */
  taken(chatId: string): void;
}

/** A chat that no other window can open. */
export interface ClaimedChat<Chat> {
  readonly chat: Chat;
  readonly lease: Lease;
}

/**
 * Opens the last shown chat that no other window has, or the newest stored one if none is
 * remembered, else a new one.
 */
export async function claimLastChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
): Promise<ClaimedChat<Chat>> {
  const { memory, storage } = sources;
  const remembered = rememberedChats(memory);
  const candidates =
    remembered.length > 0 ? remembered : (await storage.list()).slice(-1).map(({ name }) => name);
  for (const chatId of candidates) {
    const found = await claimChat(sources, chatId, Lease.take);
    if (found) return found;
  }
  const [first] = candidates;
  if (first !== undefined) {
    // The host of a window that was reloaded or closed may not have ended yet.
    const asked = claimChat(sources, first, takeAtStart);
    sources.asking(asked);
    const found = await asked;
    if (found) return found;
    sources.taken(first);
  }
  return claimNewChat(sources);
}

/** Opens a chat; null when another window has it. */
export async function claimChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
  chatId: string,
  take: typeof Lease.take,
): Promise<ClaimedChat<Chat> | null> {
  const { storage } = sources;
  const lease = await take(leaseFiles(storage, chatId), sources.lease);
  if (!lease) return null;
  const guard = (log: EventLog) => lease.guard(log);
  try {
    return { chat: await sources.openChat(chatId, guard(storage.open(chatId)), guard), lease };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** Takes a lease from a host that ends, not from a window with a user. */
export const takeAtStart: typeof Lease.take = (files, options) =>
  Lease.takeOver(files, options, "start");

/** Opens a new chat. */
export async function claimNewChat<Chat extends OpenChat>(
  sources: ChatSources<Chat>,
): Promise<ClaimedChat<Chat>> {
  return (await claimChat(sources, newId("chat"), Lease.take)) ?? claimNewChat(sources);
}

/** Stops its turn, writes what is unwritten, and lets other windows have it. */
export async function endChat({ chat, lease }: ClaimedChat<OpenChat>): Promise<void> {
  await chat.dispose();
  await lease.release();
}
