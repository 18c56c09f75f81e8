import * as vscode from "vscode";
import { MAX_IMAGE_BYTES, readImageHeader } from "../../base/imageHeader.ts";
import { fromBase64, toBase64 } from "../../base/text/base64.ts";
import { imageTokens } from "../../model/imageParts.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import type { ContextMessage, PanelMessage } from "../../protocol/messages.ts";
import { MAX_ATTACHMENTS, MAX_IMAGE_SIDE, MAX_NAME } from "../../turns/attachment.ts";
import { t } from "../localize.ts";

/** Adds attachments to the draft, or says why not. */
export type AttachMessage = ContextMessage & { readonly type: "attach" };

/** An image that the panel scaled and re-encoded, so that it contains nothing but pixels. */
export type ScaledImageMessage = PanelMessage & { readonly type: "attach-image" };

/**
 * Reads an image for the panel to scale, or explains why it cannot be attached. `path` is its
 * workspace path. Never rejects.
 */
export async function readImage(uri: vscode.Uri, path: string | null): Promise<ContextMessage> {
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1).slice(0, MAX_NAME);
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    // Reading a pipe would block until something writes to it.
    if ((type & vscode.FileType.File) === 0) return refusedImage("image-broken", name);
    if (size > MAX_IMAGE_BYTES) return refusedImage("image-too-large", name);
    const bytes = await vscode.workspace.fs.readFile(uri);
    const header = readImageHeader(bytes);
    if (!header.ok) return refusedImage(header.error, name);
    return { type: "scale-image", name, path, data: toBase64(bytes) };
  } catch {
    return refusedImage("image-broken", name);
  }
}

/** Lets the user choose image files, which may be outside the workspace. */
export async function chooseImages(): Promise<readonly ContextMessage[]> {
  const filters = { [t("Images")]: ["png", "jpg", "jpeg", "gif", "webp"] };
  const chosen =
    (await vscode.window.showOpenDialog({
      canSelectMany: true,
      filters,
      openLabel: t("Attach"),
    })) ?? [];
  return Promise.all(chosen.slice(0, MAX_ATTACHMENTS).map((uri) => readImage(uri, null)));
}

/** Stores and attaches an image that the panel has scaled. Never rejects. */
export async function storeImage(
  { name, path, data, preview }: ScaledImageMessage,
  store: Pick<ImageStore, "add">,
): Promise<AttachMessage> {
  const bytes = fromBase64(data);
  const header = bytes && readImageHeader(bytes);
  if (!bytes || !header?.ok || (header.value.type !== "png" && header.value.type !== "jpeg"))
    return refusedImage("image-broken", name);
  const { type, width, height } = header.value;
  if (Math.max(width, height) > MAX_IMAGE_SIDE) return refusedImage("image-too-many-pixels", name);
  const id = await store.add(bytes, type).catch(() => null);
  if (id === null) return refusedImage("not-stored", name);
  const image = { id, width, height, preview };
  const ref = { kind: "image" as const, path, lines: null, name, text: null, image };
  return {
    type: "attach",
    items: [{ ref, tokens: imageTokens(image), clipped: false }],
    refused: [],
  };
}

function refusedImage(code: AttachMessage["refused"][number]["code"], name: string): AttachMessage {
  return { type: "attach", items: [], refused: [{ code, name }] };
}
