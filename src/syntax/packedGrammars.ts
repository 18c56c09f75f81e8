import type { GrammarSource } from "../ports/grammarSource.ts";

/**
 * Reads grammars as the build packs them: each `.wasm` compressed with Zstandard, with `.zst` added to its name, which halves what
 * is downloaded. Other files are read as they are. Rejects when a file is missing or damaged.
 */
export function packedGrammars(source: GrammarSource): GrammarSource {
  return {
    async read(path) {
      if (!path.endsWith(".wasm")) return source.read(path);
      const [{ decompress }, packed] = await Promise.all([import("fzstd"), source.read(`${path}.zst`)]);
      return decompress(packed);
    },
  };
}
