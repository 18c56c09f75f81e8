/**
 * The text of a server, the system or an exception as a sentence. Adds a full stop if it has no end
 * mark. "" if it is empty.
 */
export function sentence(said: unknown): string {
  const text = thrownText(said)
    .trim()
    .replace(/\s*[:;,]+$/, "");
  return text === "" || /[.!?…。！？]["'”’»)\]]*$/.test(text) ? text : `${text}.`;
}

/** The message of a thrown value. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A count with its noun: `1 line`, `3 lines`. The plural must end in "s" or "es". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}
