/** `1 line`, `3 lines`: a number with its noun, whose plural ends with "s" or "es". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}
