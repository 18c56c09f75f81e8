/** Reads files from the extension's grammar folder on every platform. */
export interface GrammarSource {
  /** Reads a file such as `tree-sitter.wasm` or `python/grammar.wasm`. Rejects if it is missing. */
  read(path: string): Promise<Uint8Array>;
}
