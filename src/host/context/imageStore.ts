import * as vscode from "vscode";
import type { ImageStore } from "../../ports/imageStore.ts";
import { lookAt, orNull } from "../workspace/unlessMissing.ts";

/** The most images that belong to no chat yet, such as those of a draft. */
const MAX_LOOSE = 50;

/** Images as files in a folder, with one subfolder for unsent images and one for each chat. */
export interface ImageFiles extends ImageStore {
  /** The file of an image, or null if it no longer exists. */
  find(chatId: string, id: string): Promise<vscode.Uri | null>;
}

/** An image store on VS Code's file system. */
export function createImageStore(folder: vscode.Uri): ImageFiles {
  const { fs } = vscode.workspace;
  const chatFolder = (chatId: string) =>
    vscode.Uri.joinPath(folder, "chats", chatId.replace(/[^A-Za-z0-9-]/g, "_"));
  const ofChat = (chatId: string, id: string) => vscode.Uri.joinPath(chatFolder(chatId), id);
  const loose = (id: string) => vscode.Uri.joinPath(folder, "loose", id);
  const read = async (uri: vscode.Uri) => {
    // A pipe would never be read to its end.
    const isFile = (await lookAt(uri))?.type === vscode.FileType.File;
    return isFile ? orNull(fs.readFile(uri)) : null;
  };

  /** Removes the oldest unsent images. */
  async function trim(): Promise<void> {
    const names = (await orNull(fs.readDirectory(vscode.Uri.joinPath(folder, "loose")))) ?? [];
    if (names.length <= MAX_LOOSE) return;
    const files = await Promise.all(
      names.map(async ([name]) => ({
        uri: loose(name),
        mtime: (await lookAt(loose(name)))?.mtime ?? 0,
      })),
    );
    files.sort((a, b) => b.mtime - a.mtime);
    for (const { uri } of files.slice(MAX_LOOSE)) await orNull(fs.delete(uri));
  }

  return {
    async add(bytes, type) {
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
      const id = `${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}.${type}`;
      await fs.writeFile(loose(id), bytes);
      await trim();
      return id;
    },
    async keep(chatId, id) {
      if (await lookAt(ofChat(chatId, id))) return true;
      const bytes = await read(loose(id));
      if (bytes) await fs.writeFile(ofChat(chatId, id), bytes);
      return bytes !== null;
    },
    read: (chatId, id) => read(ofChat(chatId, id)),
    async find(chatId, id) {
      const stats = await Promise.all(
        [ofChat(chatId, id), loose(id)].map(async (uri) => ((await lookAt(uri)) ? uri : null)),
      );
      return stats.find((uri) => uri !== null) ?? null;
    },
    removeAll: async (chatId) =>
      void (await orNull(fs.delete(chatFolder(chatId), { recursive: true }))),
  };
}
