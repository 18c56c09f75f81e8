/** A new unique identifier with a prefix for its kind: `turn-…`, `call-…`. */
export function newId(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 13)}`;
}
