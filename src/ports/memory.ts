/** Values that outlast the window, by key; VS Code's `Memento` is one. What comes back may be another version's, or damaged. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
