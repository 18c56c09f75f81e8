import { readFile } from "node:fs/promises";
import * as path from "node:path";
import type { GrammarSource } from "../ports/grammarSource.ts";

/** Reads grammars from `folder` on disk. Only plain relative paths are read; others reject. */
export function createNodeGrammarSource(folder: string): GrammarSource {
  return {
    async read(name) {
      if (path.isAbsolute(name) || name.split(/[\\/]/).includes(".."))
        throw new Error(`${name} is not a path inside the grammar folder.`);
      return readFile(path.join(folder, name));
    },
  };
}
