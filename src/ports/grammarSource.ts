/** Reads the files under the extension's grammar folder, wherever the core runs. */
export interface GrammarSource {
  /** The bytes of a file such as `tree-sitter.wasm` or `python/grammar.wasm`; rejects when it is missing. */
  read(path: string): Promise<Uint8Array>;
}
