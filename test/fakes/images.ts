import type { ImageStore } from "../../src/ports/imageStore.ts";

/** A PNG image of one pixel. */
export const PNG_DOT = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/** Keeps images in memory. */
export function memoryImageStore(): ImageStore & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    async add(bytes, type) {
      const hash = Buffer.from(
        await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)),
      ).toString("hex");
      kept.set(`${hash}.${type}`, bytes);
      return `${hash}.${type}`;
    },
    keep: async (chatId, id) => {
      const bytes = kept.get(id) ?? kept.get(`${chatId}/${id}`);
      if (bytes) kept.set(`${chatId}/${id}`, bytes);
      return bytes !== undefined;
    },
    read: async (chatId, id) => kept.get(`${chatId}/${id}`) ?? null,
    async removeAll(chatId) {
      for (const name of [...kept.keys()]) if (name.startsWith(`${chatId}/`)) kept.delete(name);
    },
  };
}
