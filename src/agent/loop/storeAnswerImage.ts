import { readImageHeader } from "../../base/imageHeader.ts";
import { fromBase64 } from "../../base/text/base64.ts";
import type { ImageStore } from "../../ports/imageStore.ts";
import { type Attachment, previewSchema } from "../../turns/attachment.ts";

/** One pixel, for an image that is too large to be its own preview: it is opened by a click. */
const NO_PREVIEW =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Keeps a PNG or JPEG image of an answer beside its chat; null for what is none, or not kept. */
export async function storeAnswerImage(
  images: ImageStore,
  chatId: string,
  data: string,
): Promise<Attachment | null> {
  const bytes = fromBase64(data);
  const header = bytes && readImageHeader(bytes);
  if (!bytes || !header?.ok) return null;
  const { type, width, height } = header.value;
  if (type !== "png" && type !== "jpeg") return null;
  const id = await images.add(bytes, type).catch(() => null);
  if (id === null || !(await images.keep(chatId, id))) return null;
  const own = `data:image/${type};base64,${data}`;
  const preview = previewSchema.safeParse(own).success ? own : NO_PREVIEW;
  const none = { path: null, lines: null, text: null, omitted: 0 };
  return { kind: "image", ...none, name: `image.${type}`, image: { id, width, height, preview } };
}
