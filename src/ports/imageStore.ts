/**
 * Content-addressed storage for the images that users attach. An ID is a hash plus file extension,
 * and never a path.
 */
export interface ImageStore {
  /** Stores an image that belongs to no chat yet. Only the newest of these are kept. */
  add(bytes: Uint8Array, type: "png" | "jpeg"): Promise<string>;
  /**
   * Copies the image to a chat's storage until the chat is removed. False if the image no longer
   * exists.
   */
  keep(chatId: string, id: string): Promise<boolean>;
  /** The bytes of a chat's image, or null if it no longer exists. Never rejects. */
  read(chatId: string, id: string): Promise<Uint8Array | null>;
  removeAll(chatId: string): Promise<void>;
}
