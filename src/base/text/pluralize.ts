/** `1 line`, `3 lines`: a count with its noun, whose plural ends in "s" or "es". */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}
