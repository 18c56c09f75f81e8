/** A new unique ID, prefixed with its kind: `turn-…`, `call-…`. */
export function newId(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 13)}`;
}
