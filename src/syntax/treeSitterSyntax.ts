import { countLines } from "../base/text.ts";
import type { GrammarSource } from "../ports/grammarSource.ts";
import type { Logger } from "../ports/logger.ts";
import { MAX_FILE_BYTES } from "../ports/workspace.ts";
import { createGrammarLoader, type Grammar } from "./grammarLoader.ts";
import { languageById, languageOfFile } from "./languages.ts";
import { parseText } from "./parsedText.ts";
import type { Syntax } from "./syntaxTypes.ts";
import type { ParseLimits } from "./timeLimit.ts";
import { TreeSitterDocument } from "./treeSitterDocument.ts";

/** Files of more lines have no outline. */
export const MAX_OUTLINE_LINES = 100_000;

const DEFAULT_LIMITS: ParseLimits = { timeMs: 5_000 };

/** Syntax by tree-sitter. Nothing of it is loaded before the first `open`; runtime, grammars and queries come from `source`. */
export function createSyntax(source: GrammarSource, logger: Logger, limits: ParseLimits = DEFAULT_LIMITS): Syntax {
  const loadGrammar = createGrammarLoader(source);

  const syntax: Syntax = {
    async openFile(path, languageId, text) {
      const language = languageOfFile(path, languageId);
      return language && syntax.open(language.id, text);
    },

    languageOf: (path, languageId) => languageOfFile(path, languageId)?.id ?? null,

    async open(id, text) {
      const language = languageById(id);
      if (!language) return null;
      if (text.length > MAX_FILE_BYTES || countLines(text) > MAX_OUTLINE_LINES) {
        logger.warn(`A file of more than ${MAX_FILE_BYTES} bytes or ${MAX_OUTLINE_LINES} lines has no outline.`);
        return null;
      }
      let grammar: Grammar;
      try {
        grammar = await loadGrammar(language);
      } catch (error) {
        logger.error(`The grammar for ${id} could not be loaded: ${String(error)}`);
        return null;
      }
      const parsed = parseText(grammar, text, limits, logger);
      return parsed && new TreeSitterDocument(grammar, parsed, limits, logger);
    },
  };
  return syntax;
}
