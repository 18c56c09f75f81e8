import type { Syntax } from "../../src/syntax/syntaxTypes.ts";

/** A syntax without grammars. */
export const noSyntax: Syntax = { openFile: async () => null, languageOf: () => null, open: async () => null };
