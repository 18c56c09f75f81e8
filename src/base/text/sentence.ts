/** What a server, the system or an exception said as a sentence: with a full stop where it lacks a mark. Empty for nothing. */
export function sentence(said: unknown): string {
  const text = thrownText(said)
    .trim()
    .replace(/\s*[:;,]+$/, "");
  return text === "" || /[.!?…。！？]["'”’»)\]]*$/.test(text) ? text : `${text}.`;
}

/** What an exception says. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
