/** A count with its noun: `1 line`, `3 lines`. The plural must end in "s" or "es". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}
