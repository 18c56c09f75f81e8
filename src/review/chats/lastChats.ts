import type { Memory } from "../../ports/memory.ts";

const LAST_CHATS = "graft.lastChat";
const UNSEEN_CHATS = "graft.unseenChats";
const MAX_UNSEEN = 50;
/** How many windows' chats a workspace remembers. */
const MAX_REMEMBERED = 5;

/**
 * Remembers a chat in the place of the one it `replaced`, else behind those of the windows that
 * were there before.
 */
export async function rememberChat(
  memory: Memory,
  chatId: string,
  replaced: string | null,
): Promise<void> {
  const known = rememberedChats(memory);
  if (replaced === null && known.includes(chatId)) return;
  const others = known.filter((id) => id !== chatId);
  const chats = others.some((id) => id === replaced)
    ? others.map((id) => (id === replaced ? chatId : id))
    : [...others.slice(0, MAX_REMEMBERED - 1), chatId];
  await memory.update(LAST_CHATS, chats);
}

/** The chats that windows of the workspace showed last. */
export function rememberedChats(memory: Memory): readonly string[] {
  return chatIds(memory.get(LAST_CHATS));
}

/**
 * Remembers the chats that are open and that nobody sees, in the place of those that this window
 * `had` before. What other windows have stays.
 */
export async function rememberUnseen(
  memory: Memory,
  had: ReadonlySet<string>,
  unseen: readonly string[],
): Promise<void> {
  const known = unseenChats(memory);
  const now = [...known.filter((id) => !had.has(id)), ...unseen].slice(-MAX_UNSEEN);
  if (JSON.stringify(now) !== JSON.stringify(known)) await memory.update(UNSEEN_CHATS, now);
}

/** The chats that nobody had seen as the last windows of the workspace ended. */
export function unseenChats(memory: Memory): readonly string[] {
  return chatIds(memory.get(UNSEEN_CHATS));
}

function chatIds(value: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  return names.flatMap((name) =>
    typeof name === "string" && /^[A-Za-z0-9-]+$/.test(name) ? [name] : [],
  );
}
