/**
 * Text from a server, the system or an exception as a sentence: without a trailing colon or comma, with a full stop where it lacks a
 * mark. Empty for nothing.
 */
export function sentence(said: unknown): string {
  const text = (said instanceof Error ? said.message : String(said)).trim().replace(/\s*[:;,]+$/, "");
  return text === "" || /[.!?…。！？]["'”’»)\]]*$/.test(text) ? text : `${text}.`;
}
