/** The images that users attach, by content. An id is a hash and the file's ending; it never names another place. */
export interface ImageStore {
  /** Keeps an image that is in no chat yet. The newest of these stay. */
  add(bytes: Uint8Array, type: "png" | "jpeg"): Promise<string>;
  /** Keeps the image with a chat, until that is removed; false where it is gone. */
  keep(chatId: string, id: string): Promise<boolean>;
  /** The bytes of an image of a chat; null where it is gone. Never rejects. */
  read(chatId: string, id: string): Promise<Uint8Array | null>;
  /** Removes the images of a chat. */
  removeAll(chatId: string): Promise<void>;
}
