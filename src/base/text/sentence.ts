/** What a server, the system or an exception said as a sentence: with a full stop where it lacks a mark. Empty for nothing. */
export function sentence(said: unknown): string {
  const text = (said instanceof Error ? said.message : String(said)).trim().replace(/\s*[:;,]+$/, "");
  return text === "" || /[.!?…。！？]["'”’»)\]]*$/.test(text) ? text : `${text}.`;
}
