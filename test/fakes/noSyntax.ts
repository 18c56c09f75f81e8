import type { Syntax } from "../../src/syntax/syntaxTypes.ts";

/** A syntax without grammars. */
export const noSyntax: Syntax = { languageOf: () => null, open: async () => null };
