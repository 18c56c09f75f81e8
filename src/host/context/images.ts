import * as vscode from "vscode";
import { MAX_IMAGE_BYTES, readImageHeader } from "../../base/imageHeader.ts";
import { fromBase64, toBase64 } from "../../base/text/base64.ts";
import { imageTokens } from "../../model/imageParts.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { ContextMessage, PanelMessage } from "../../protocol/messages.ts";
import { MAX_ATTACHMENTS, MAX_IMAGE_SIDE, MAX_NAME } from "../../turns/attachment.ts";
import { t } from "../localize.ts";

type AttachMessage = ContextMessage & { readonly type: "attach" };

/** An image that the panel has scaled and written anew, so that it holds nothing but pixels. */
export type ScaledImage = PanelMessage & { readonly type: "attach-image" };

/** Reads an image for the panel to scale, or says why it cannot be attached. `path` is the file's in the workspace. Never rejects. */
export async function readImage(uri: vscode.Uri, path: string | null): Promise<ContextMessage> {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1).slice(0, MAX_NAME);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_IMAGE_BYTES) return refused("image-too-large", name);
    const bytes = await vscode.workspace.fs.readFile(uri);
    const header = readImageHeader(bytes);
    if (!header.ok) return refused(header.error, name);
    return { type: "scale-image", name, path, data: toBase64(bytes) };
  } catch {
    return refused("image-broken", name);
  }
}

/** Lets the user choose image files, also from outside the workspace. */
export async function chooseImages(): Promise<readonly ContextMessage[]> {
  const filters = { [t("Images")]: ["png", "jpg", "jpeg", "gif", "webp"] };
  const chosen = (await vscode.window.showOpenDialog({ canSelectMany: true, filters, openLabel: t("Attach") })) ?? [];
  return Promise.all(chosen.slice(0, MAX_ATTACHMENTS).map((uri) => readImage(uri, null)));
}

/** Stores an image that the panel has scaled, and attaches it. Never rejects. */
export async function storeImage({ name, path, data, preview }: ScaledImage, store: Pick<ImageStore, "add">): Promise<AttachMessage> {
  const bytes = fromBase64(data);
  const header = bytes && readImageHeader(bytes);
  if (!bytes || !header?.ok || (header.value.type !== "png" && header.value.type !== "jpeg")) return refused("image-broken", name);
  const { type, width, height } = header.value;
  if (Math.max(width, height) > MAX_IMAGE_SIDE) return refused("image-too-many-pixels", name);
  const id = await store.add(bytes, type).catch(() => null);
  if (id === null) return refused("not-stored", name);
  const image = { id, width, height, preview };
  const ref = { kind: "image" as const, path, lines: null, name, text: null, image };
  return { type: "attach", items: [{ ref, tokens: imageTokens(image), clipped: false }], refused: [] };
}

function refused(code: AttachMessage["refused"][number]["code"], name: string): AttachMessage {
  return { type: "attach", items: [], refused: [{ code, name }] };
}
