/** A new identifier, unique on this machine and beyond, that tells in its prefix what it names: `turn-…`, `call-…`. */
export function newId(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 13)}`;
}
