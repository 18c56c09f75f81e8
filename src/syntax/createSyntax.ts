import type { GrammarSource } from "../ports/grammarSource.ts";
import type { Logger } from "../ports/logger.ts";
import { createGrammarLoader, type Grammar } from "./grammar/grammarLoader.ts";
import { type Language, languageById, languageOfFile } from "./grammar/languages.ts";
import { parseText, STEP_LIMIT } from "./outline/parsedText.ts";
import { isTooLargeForOutline } from "./outlineUnavailable.ts";
import type { Syntax } from "./syntax.ts";
import { TreeSitterDocument } from "./treeSitterDocument.ts";

/**
 * Syntax by tree-sitter. Loads runtime, grammars and queries from `source`, not before the first
 * `open` or `warm`.
 */
export function createSyntax(source: GrammarSource, logger: Logger, limit = STEP_LIMIT): Syntax {
  const loadGrammar = createGrammarLoader(source);

  async function load(language: Language): Promise<Grammar | null> {
    try {
      return await loadGrammar(language);
    } catch (error) {
      logger.error(`The grammar for ${language.id} could not be loaded: ${String(error)}`);
      return null;
    }
  }

  const syntax: Syntax = {
    async openFile(path, languageId, text) {
      const language = languageOfFile(path, languageId);
      return language && syntax.open(language.id, text);
    },

    languageOf: (path, languageId) => languageOfFile(path, languageId)?.id ?? null,

    warm(path) {
      const language = languageOfFile(path, "");
      if (language) void load(language);
    },

    async open(id, text) {
      const language = languageById(id);
      if (!language) return null;
      if (isTooLargeForOutline(text)) return null;
      const grammar = await load(language);
      if (!grammar) return null;
      const parsed = parseText(grammar, text, limit, logger);
      return parsed && new TreeSitterDocument(parsed);
    },
  };
  return syntax;
}
