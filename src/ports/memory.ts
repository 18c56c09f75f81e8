/**
 * Key-value storage that survives the window, such as VS Code's `Memento`. Stored values may be
 * damaged or come from another version.
 */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
