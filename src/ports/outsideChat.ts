/** What the chat of every guest is called. */
export const GUEST_CHAT = "guest";

/** How the ids of chats begin that stand for imported proposals. */
export const IMPORTED_CHAT = "import";

/** True for the chat of a guest, which has no turns on record. */
export function isGuestChat(chatId: string): boolean {
  return chatId.startsWith(`${GUEST_CHAT}-`);
}

/** True for a chat that stands for imported proposals: no chat hears what becomes of them. */
export function isImportedChat(chatId: string): boolean {
  return chatId.startsWith(`${IMPORTED_CHAT}-`);
}
