/**
 * The key in what a user pasted: without line breaks, quotes, `Bearer` or a variable's name around it. Null where something is left
 * that no request can carry.
 */
export function pastedKey(text: string): string | null {
  const key = text
    .trim()
    .replace(/^(?:export\s+)?\w*(?:KEY|TOKEN)\w*\s*=\s*(?=[^=\s])/i, "")
    .replace(/^(["'`])(.*)\1;?$/s, "$2")
    .replace(/^(?:Authorization:\s*)?Bearer\s+/i, "")
    .trim();
  return /^[\x21-\x7e]*$/.test(key) ? key : null;
}
