/**
 * What a server, the system or an exception says, to stand at the end of a sentence of ours: without what would hang over, and with a
 * full stop where it has no mark of its own. Empty for nothing.
 */
export function sentence(said: unknown): string {
  const text = (said instanceof Error ? said.message : String(said)).trim().replace(/\s*[:;,]+$/, "");
  return text === "" || /[.!?…。！？]["'”’»)\]]*$/.test(text) ? text : `${text}.`;
}
