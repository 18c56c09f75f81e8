const SNIFFED_BYTES = 8192;

/**
 * The bytes as text, a byte order mark included as U+FEFF, so that encoding the text gives the bytes back.
 * Null for what is not text: a NUL in the first 8 KB, or anything that is not UTF-8.
 */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
