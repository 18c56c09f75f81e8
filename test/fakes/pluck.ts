/** What each of `items` has as `key`. */
export function pluck<Item, Key extends keyof Item>(items: Iterable<Item>, key: Key): Item[Key][] {
  return Array.from(items, (item) => item[key]);
}
