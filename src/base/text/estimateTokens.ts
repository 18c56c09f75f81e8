/**
 * A low average of characters per token for source code and English, so that estimates err on the
 * high side.
 */
export const CHARS_PER_TOKEN = 3.5;
/** Chinese, Japanese and Korean characters count as about one token each. */
const WIDE = /[\u2e80-\uffff]/g;

/** Estimates the tokens of a text from its length. Within 15 % for source code and English. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / CHARS_PER_TOKEN) + wide;
}
