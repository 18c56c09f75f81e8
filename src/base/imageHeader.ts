import { err, ok, type Result } from "./result.ts";

/** The largest image file that Graft reads, in bytes. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** The most pixels an image may have (about 260 MB decoded). */
const MAX_IMAGE_PIXELS = 64_000_000;

/** Type and size of an image. */
export interface ImageHeader {
  readonly type: "png" | "jpeg" | "gif" | "webp";
  readonly width: number;
  readonly height: number;
}

/** Why an image is rejected. */
export type ImageProblem =
  | "image-too-large"
  | "image-too-many-pixels"
  | "image-unsupported"
  | "image-broken";

/** Reads the header of a PNG, JPEG, GIF or WebP image and checks its size. Never throws. */
export function readImageHeader(bytes: Uint8Array): Result<ImageHeader, ImageProblem> {
  if (bytes.length > MAX_IMAGE_BYTES) return err("image-too-large");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = headerOf(view);
    if (header === null) return err("image-unsupported");
    if (header.width < 1 || header.height < 1) return err("image-broken");
    return header.width * header.height > MAX_IMAGE_PIXELS
      ? err("image-too-many-pixels")
      : ok(header);
  } catch (reason) {
    // DataView throws if the header is truncated.
    if (reason instanceof RangeError) return err("image-broken");
    throw reason;
  }
}

function headerOf(view: DataView): ImageHeader | null {
  if (startsWith(view, 0, "\x89PNG\r\n\x1a\n")) {
    const isHeader = startsWith(view, 12, "IHDR");
    return {
      type: "png",
      width: isHeader ? view.getUint32(16) : 0,
      height: isHeader ? view.getUint32(20) : 0,
    };
  }
  if (startsWith(view, 0, "\xff\xd8\xff")) return { type: "jpeg", ...jpegSize(view) };
  if (startsWith(view, 0, "GIF87a") || startsWith(view, 0, "GIF89a")) {
    return { type: "gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  return startsWith(view, 0, "RIFF") && startsWith(view, 8, "WEBP")
    ? { type: "webp", ...webpSize(view) }
    : null;
}

type Size = Pick<ImageHeader, "width" | "height">;
const NO_SIZE: Size = { width: 0, height: 0 };

/** Walks the segments to the frame header (ITU-T T.81, annex B). */
function jpegSize(view: DataView): Size {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return NO_SIZE;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (
      marker >= 0xc0 &&
      marker <= 0xcf &&
      marker !== 0xc4 &&
      marker !== 0xc8 &&
      marker !== 0xcc
    ) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    } else {
      const length = view.getUint16(at + 2);
      // The image data starts before any frame header, or a segment is shorter than its length
      // field.
      if (marker === 0xd9 || marker === 0xda || length < 2) return NO_SIZE;
      at += 2 + length;
    }
  }
}

/**
 * Reads the size from any of the three forms in
 * https://developers.google.com/speed/webp/docs/riff_container.
 */
function webpSize(view: DataView): Size {
  if (startsWith(view, 12, "VP8X")) {
    const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
    return { width: uint24(24) + 1, height: uint24(27) + 1 };
  }
  if (startsWith(view, 12, "VP8L") && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (startsWith(view, 12, "VP8 ") && startsWith(view, 23, "\x9d\x01\x2a")) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return NO_SIZE;
}

function startsWith(view: DataView, at: number, text: string): boolean {
  return (
    at + text.length <= view.byteLength &&
    [...text].every((char, index) => view.getUint8(at + index) === char.charCodeAt(0))
  );
}
