import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import type { GrammarSource } from "../../../src/ports/grammarSource.ts";

const require = createRequire(import.meta.url);

function wasmPackagePath(path: string): string | null {
  if (path === "tree-sitter.wasm") return grammars.runtime;
  return grammars.languages.find(({ id }) => path === `${id}/grammar.wasm`)?.wasm ?? null;
}

/**
 * Reads grammars straight from `grammars/` and the installed packages, so that tests need no build.
 */
export function nodeGrammarSource(): GrammarSource {
  return {
    async read(path) {
      const packaged = wasmPackagePath(path);
      return readFile(
        packaged
          ? require.resolve(packaged)
          : new URL(`../../../grammars/${path}`, import.meta.url),
      );
    },
  };
}
