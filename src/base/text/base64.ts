/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // The number of arguments of a call is limited.
  for (let at = 0; at < bytes.length; at += 8_192)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  return btoa(parts.join(""));
}

/** Decodes base64. Null if the text is not valid base64. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
