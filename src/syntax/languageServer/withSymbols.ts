import type { SymbolSource } from "../../ports/symbolSource.ts";
import type { Syntax } from "../syntax.ts";
import { SymbolDocument } from "./symbolDocument.ts";
import { symbolElements } from "./symbolElements.ts";

/** `grammars`, with the editor's symbols for the files they have no grammar for. */
export function withSymbols(grammars: Syntax, source: SymbolSource): Syntax {
  return {
    ...grammars,
    async openFile(path, languageId, text, signal) {
      if (grammars.languageOf(path, languageId) !== null) return grammars.openFile(path, languageId, text, signal);
      const symbols = await source.symbols(path, text, signal);
      const elements = symbols && symbolElements(text, symbols);
      return elements && new SymbolDocument(text, elements);
    },
  };
}
