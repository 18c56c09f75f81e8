import {
  type ImageHeader,
  type ImageProblem,
  MAX_IMAGE_BYTES,
  readImageHeader,
} from "../../src/base/imageHeader.ts";
import { err, ok, type Result } from "../../src/base/result.ts";
import { toBase64 } from "../../src/base/text/base64.ts";
import { MAX_IMAGE_SIDE } from "../../src/turns/attachment.ts";

/** An image as base64, with a small preview as a data URL. */
export interface ScaledImage {
  readonly data: string;
  readonly preview: string;
}

/** The longer side of a preview in pixels. Sized for chips on high-resolution screens. */
const PREVIEW_SIDE = 96;
/** A larger PNG is a photo or similarly big, and becomes a JPEG. */
const MAX_PNG_BYTES = 1024 * 1024;
const QUALITY = 0.85;

/**
 * Scales an image to the size that models use anyway. Re-encodes it, which removes metadata such as
 * the location. Keeps only the first frame of an animation. Never decodes an image with a broken
 * header or too many pixels. Never rejects.
 */
export async function scaleImage(file: Blob): Promise<Result<ScaledImage, ImageProblem>> {
  if (file.size > MAX_IMAGE_BYTES) return err("image-too-large");
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const header = readImageHeader(bytes);
    if (!header.ok) return header;
    return ok(await drawn(bytes, header.value));
  } catch {
    return err("image-broken");
  }
}

async function drawn(bytes: Uint8Array<ArrayBuffer>, { type }: ImageHeader): Promise<ScaledImage> {
  const bitmap = await createImageBitmap(new Blob([bytes], { type: `image/${type}` }));
  try {
    const png = type === "jpeg" ? null : await encoded(bitmap, MAX_IMAGE_SIDE, "image/png");
    const whole =
      png && png.size <= MAX_PNG_BYTES ? png : await encoded(bitmap, MAX_IMAGE_SIDE, "image/jpeg");
    const preview = await encoded(bitmap, PREVIEW_SIDE, "image/jpeg");
    return {
      data: await base64(whole),
      preview: `data:image/jpeg;base64,${await base64(preview)}`,
    };
  } finally {
    bitmap.close();
  }
}

function encoded(
  bitmap: ImageBitmap,
  side: number,
  type: "image/png" | "image/jpeg",
): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((pixels) =>
    Math.max(1, Math.round(pixels * scale)),
  );
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser has no canvas.");
  if (type === "image/jpeg") {
    // JPEG has no transparency.
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type, quality: QUALITY });
}

async function base64(blob: Blob): Promise<string> {
  return toBase64(new Uint8Array(await blob.arrayBuffer()));
}
